import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import { lockCompany } from "../companies/index.ts";
import { getAgent, worksBelow } from "./store.ts";

/**
 * Refuses a manager who is not there, is terminated, or (for an agent that exists already) works below that agent.
 * Moves inside the tree take turns on the company, so that two of them cannot close a circle together.
 */
export async function requireManager(change: Change, managerId: string, agentId: string | null): Promise<void> {
  const manager = await getAgent(change, managerId, "reportsTo");
  if (manager.status === "terminated") {
    throw new Refusal("unknown_reference", `${manager.name} is terminated and cannot manage anyone.`, {
      details: [{ path: "reportsTo", message: "is terminated" }],
    });
  }
  if (agentId === null) return;
  await lockCompany(change);
  if (await worksBelow(change, managerId, agentId)) {
    throw new Refusal("reporting_cycle", `${manager.name} works below this agent, so it cannot be its manager.`, {
      details: [{ path: "reportsTo", message: "would make a circle" }],
    });
  }
}
