import type { AgentCheck } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import { presentCheck } from "./present.ts";
import { getAgent } from "./store.ts";

/** What the check of an agent found, for those who show it beside something else; throws Missing. */
export async function checkOf(scope: Scope, agentId: string): Promise<AgentCheck> {
  return presentCheck((await getAgent(scope, agentId)).check);
}
