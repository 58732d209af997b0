import type { Change } from "../../platform/change.ts";
import { queueSignal } from "../../platform/signals.ts";
import { queueCheck, requeueCheck } from "./check-store.ts";
import type { RevisionRow } from "./revision-store.ts";
import type { AgentRow } from "./store.ts";

/** Has an agent checked after a revision of it that touches its adapter; answers it as it is then. */
export async function checkAnew(change: Change, agent: AgentRow, { id, changed }: RevisionRow): Promise<AgentRow> {
  if (!changed.some((path) => path.startsWith("adapter"))) return agent;
  await queueCheck(change, agent.id, id);
  change.announce(queueSignal);
  return { ...agent, check: null };
}

/** Has an agent checked that was hired just now: before, its program could not be started to ask it anything. */
export async function checkHired(change: Change, agent: AgentRow): Promise<AgentRow> {
  await requeueCheck(change, agent.id);
  change.announce(queueSignal);
  return { ...agent, check: null };
}
