import type { Change } from "../../platform/change.ts";
import { extended, type Hold } from "../budgets/index.ts";
import { lockCompany } from "../companies/index.ts";
import type { Booked } from "../costs/index.ts";
import { findAccount } from "./budget-store.ts";
import { announceEnding } from "./end-under-way.ts";
import { noteProgress } from "./event-store.ts";
import { lockLease } from "./lease-store.ts";
import { type LockedRun, lockRun, markEnding } from "./store.ts";

/** A run under way that was locked, and what it holds. */
export interface Metered {
  readonly locked: LockedRun;
  readonly hold: Hold;
}

/**
 * Draws what was booked for a run on what it holds; answers what it holds then. A hold that is used up is extended as
 * far as there is room; where there is none, or the run costs as much as it may, it is to end, and its credential is
 * dead when this commits.
 */
export async function drawOnHold(change: Change, { locked, hold }: Metered, booked: Booked): Promise<Hold> {
  const { run, agent } = locked;
  const drawn = { ...hold, drawnMicros: hold.drawnMicros + booked.micros };
  if (run.ending !== null) return drawn;
  if (drawn.capMicros !== null && drawn.drawnMicros >= drawn.capMicros) {
    return end(change, run.id, drawn, "it costs as much as a run of its agent may");
  }
  const isLimited = booked.agent.limitMicros > 0 || booked.company.limitMicros > 0;
  if (!isLimited || drawn.drawnMicros < drawn.heldMicros) return drawn;
  // Nobody lowers the company's limit until this commits, and nobody the agent's: it is locked.
  await lockCompany(change, "share");
  const account = await findAccount(change, agent.id, run.id);
  if (account === null) return drawn;
  return extended(drawn, account) ?? end(change, run.id, drawn, "the budget has no room for more");
}

async function end(change: Change, runId: string, hold: Hold, why: string): Promise<Hold> {
  const [marked] = await markEnding(change, { runId }, "budget_exhausted");
  if (marked !== undefined) announceEnding(change, marked, why);
  return hold;
}

/** Locks a run that a cost is reported for, if it is under way; answers what draws that on what it holds. */
export async function meterOf(change: Change, runId: string): Promise<((booked: Booked) => Promise<void>) | null> {
  const locked = await lockRun(change, runId);
  const hold = await lockLease(change, runId);
  if (hold === null) return null;
  return async (booked) => {
    const { heldMicros, drawnMicros } = await drawOnHold(change, { locked, hold }, booked);
    await noteProgress(change.upkeep, { companyId: change.companyId, runId }, { heldMicros, drawnMicros });
  };
}
