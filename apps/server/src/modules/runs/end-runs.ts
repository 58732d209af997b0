import type { Change } from "../../platform/change.ts";
import { type SettleNeeds, settleRun, unseen } from "./settle-run.ts";
import { listOpenRuns, lockRun, type MarkedRun, markEnding } from "./store.ts";

/** Whose runs, and why they end. */
export interface End {
  /** The runs of this agent; without it the company's. */
  readonly agentId?: string;
  readonly why: string;
}

/**
 * Asks for the end of every run under way of an agent or of the company: their credentials are dead when this commits,
 * their programs end within the grace. What is queued waits.
 */
export async function endRunsUnderWay(change: Change, { agentId, why }: End): Promise<void> {
  const marked = await markEnding(change, agentId === undefined ? {} : { agentId }, "cancelled");
  for (const run of marked) announceEnding(change, run, why);
}

/** Tells the runner, and the log, that a run is to end. */
export function announceEnding(change: Change, run: MarkedRun, reason: string): void {
  change.record("run.ending", run.id, { agentId: run.agentId, agentName: run.agentName, reason });
  if (run.runnerId !== null) change.announce(run.runnerId);
}

/**
 * Ends every run of an agent or of the company for good, those that are queued too. What runs is fenced at once; its
 * runner hears of it and ends the program. For what will not run again: a terminated agent, an archived company.
 */
export async function settleOpenRuns(change: Change, needs: SettleNeeds, { agentId, why }: End): Promise<void> {
  // A run that ended while it was waited for may have left one that takes its place.
  for (let open = await listOpenRuns(change, agentId); open.length > 0; open = await listOpenRuns(change, agentId)) {
    for (const { id } of open) {
      const locked = await lockRun(change, id);
      await settleRun(change, needs, locked, { ended: unseen("cancelled", why) });
      if (locked.run.runnerId !== null) change.announce(locked.run.runnerId);
    }
  }
}
