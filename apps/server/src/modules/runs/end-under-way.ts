import type { Change } from "../../platform/change.ts";
import { type MarkedRun, markEnding, type RunValues } from "./store.ts";

type MarkedEnding = NonNullable<RunValues["ending"]>;

/** Whose runs, and why they end. */
export interface End {
  /** The runs of this agent; without it the company's. */
  readonly agentId?: string;
  /** This run alone. */
  readonly runId?: string;
  readonly why: string;
  /** By whose decision: somebody's, if nothing is said. */
  readonly ending?: MarkedEnding;
}

/**
 * Asks for the end of every run under way of an agent or of the company: their credentials are dead when this commits,
 * their programs end within the grace. What is queued waits.
 */
export async function endRunsUnderWay(change: Change, { why, ending = "cancelled", ...which }: End): Promise<void> {
  const marked = await markEnding(change, which, ending);
  for (const run of marked) announceEnding(change, run, why);
}

/** Tells the runner, and the log, that a run is to end. */
export function announceEnding(change: Change, run: MarkedRun, reason: string): void {
  change.record("run.ending", run.id, { agentId: run.agentId, agentName: run.agentName, reason });
  if (run.runnerId !== null) change.announce(run.runnerId);
}
