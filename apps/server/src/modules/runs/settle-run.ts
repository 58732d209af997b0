import type { CauseCode, Outcome, ToldEvent } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import type { Cause } from "../../platform/scope.ts";
import { queueSignal } from "../../platform/signals.ts";
import type { Prices } from "../costs/index.ts";
import { bookTold } from "./book-told.ts";
import { appendEvents } from "./event-store.ts";
import { followEnd } from "./follow-end.ts";
import { keepSession } from "./keep-session.ts";
import { deleteLease } from "./lease-store.ts";
import { runLifecycle } from "./lifecycle.ts";
import { verdictOf } from "./outcome.ts";
import { type LockedRun, type RunValues, updateRun } from "./store.ts";

/** What a settlement needs of the modules above this one, in its transaction. */
export interface SettleNeeds {
  /** Ends the checkouts that the run has. */
  readonly releaseCheckouts: (change: Change, runId: string, cause: Cause) => Promise<void>;
  /** What its usage costs. */
  readonly prices: Prices;
}

/** How a run ended. */
export type Ended = Pick<Outcome, "message" | "exitCode" | "signal" | "retryAfterSec"> & { readonly code: CauseCode };

/** An ending that nobody saw: decided here, not told by a runner. */
export const unseen = (code: CauseCode, message: string): Ended => ({
  code,
  message,
  exitCode: null,
  signal: null,
  retryAfterSec: null,
});

const isOpen = ({ status }: RunValues): boolean => ["queued", "claimed", "running"].includes(status);

/**
 * Ends a run, in one place for whatever ended it: its state and cause, its usage, its lease and with it its credential,
 * its checkouts, its agent's state, the retry if there is one, the log. A run that is over stays as it is.
 */
export async function settleRun(
  change: Change,
  needs: SettleNeeds,
  locked: LockedRun,
  { ended: said, told = [] }: { ended: Ended; told?: readonly ToldEvent[] },
): Promise<RunValues> {
  const { run } = locked;
  if (!isOpen(run)) return run;
  // What was asked for is why it ended, unless it came to a good end: whatever else it says, it is not tried again.
  const ended = run.ending !== null && said.code !== "ok" ? { ...said, code: run.ending } : said;
  const { progress, isSpent } =
    run.status === "queued" ? unbegun : await concludedProgress(change, needs, locked, { ended, told });
  const verdict = verdictOf({ ...ended, isSpent }, run.attempt);
  const status = nextState(runLifecycle, verdict.move, run.status);
  if (status === undefined) throw wrongState(runLifecycle, verdict.move, run.status);
  const settled = await updateRun(change, run, {
    ...progress,
    status,
    outcomeCode: ended.code,
    outcomeMessage: ended.message,
    nextActor: verdict.nextActor,
    exitCode: ended.exitCode,
    signal: ended.signal,
    finishedAt: change.now,
  });
  if (run.status !== "queued") await needs.releaseCheckouts(change, run.id, run);
  record(change, locked, { settled, ended });
  await followEnd(change, locked, { ...ended, verdict });
  change.announce(run.id);
  if (locked.hasWaiting || verdict.retryAfterSec !== null) change.announce(queueSignal);
  return settled;
}

/** What a run came to, as far as it is told by its lease. */
interface Concluded {
  readonly progress: Partial<RunValues>;
  /** It costs as much as one run of its agent may. */
  readonly isSpent: boolean;
}

const unbegun: Concluded = { progress: {}, isSpent: false };

async function concludedProgress(
  change: Change,
  { prices }: SettleNeeds,
  settling: LockedRun,
  { ended, told }: { ended: Ended; told: readonly ToldEvent[] },
): Promise<Concluded> {
  const { run } = settling;
  const lease = await deleteLease(change, run.id);
  if (lease === null) throw new Error("a run under way has no lease");
  const { companyId, id: runId } = run;
  const { after, used } = await appendEvents(change.upkeep, { companyId, runId, now: change.now }, lease, told);
  const booked = await bookTold(change, prices, settling, used);
  await keepSession(change, run, { told: after.session, resumed: lease.resumed, code: ended.code });
  // What it held goes back with its lease.
  if (lease.heldMicros > 0) change.announce(queueSignal);
  const { logBytes, logTruncated, inputTokens, cachedInputTokens, outputTokens } = after;
  const costMicros = lease.costMicros + (booked?.micros ?? 0);
  return {
    progress: { logBytes, logTruncated, inputTokens, cachedInputTokens, outputTokens, costMicros },
    isSpent: lease.capMicros !== null && costMicros >= lease.capMicros,
  };
}

function record(
  change: Change,
  { run, agent }: LockedRun,
  { settled, ended }: { settled: RunValues; ended: Ended },
): void {
  const details = {
    agentId: agent.id,
    agentName: agent.name,
    status: settled.status,
    cause: ended.code,
    message: ended.message,
  };
  change.record("run.finished", run.id, details, { cause: run });
}
