import type { AdapterOutcome } from "@roster/adapter";
import type { Outcome } from "@roster/contract";
import type { Ending, EndReason } from "../ending.ts";
import type { StartFailure } from "../start-run.ts";

/** Limits of a run as its order has them, in seconds. */
export interface OrderLimits {
  readonly startSec: number;
  readonly silenceSec: number;
  readonly wallSec: number;
  readonly graceSec: number;
}

const longestMessage = 2000;
const longestWaitSec = 604_800;
const noEnding = { exitCode: null, signal: null, limit: null, retryAfterSec: null } as const;

/** What the runner's own reason for ending a run means. Pure. */
export function outcomeOfReason(reason: EndReason, limits: OrderLimits): Outcome {
  const outcome = (code: Outcome["code"], message: string): Outcome => ({ ...noEnding, code, message });
  const timedOut = (limit: "silence" | "wall", message: string): Outcome => ({
    ...outcome("timed_out", message),
    limit,
  });
  switch (reason) {
    case "silence":
      return timedOut("silence", `The program printed nothing for ${limits.silenceSec} seconds and was ended.`);
    case "wall":
      return timedOut("wall", `The run took longer than ${limits.wallSec} seconds and was ended.`);
    case "output_limit":
      return outcome("output_limit", "The program printed more than the runner has room for and was ended.");
    case "cancelled":
      return outcome("cancelled", "The run was cancelled.");
    case "budget_exhausted":
      return outcome("budget_exhausted", "The budget was used up, and the run was ended.");
    case "service_stop":
      return outcome("service_stop", "The service was stopped, and the run was ended.");
    case "orphaned":
    case "stale_lease":
      return outcome("runner_lost", "The runner reached no server for too long and ended the run.");
  }
}

/** A run that could not be prepared in time. Pure. */
export function outcomeOfLateStart({ startSec }: OrderLimits): Outcome {
  const message = `The run was not started within ${startSec} seconds.`;
  return { ...noEnding, code: "timed_out", limit: "start", message };
}

/** A program that could not be started. Pure. */
export function outcomeOfFailure({ cause, message }: Pick<StartFailure, "cause" | "message">): Outcome {
  return { ...noEnding, code: cause, message: message.slice(0, longestMessage) };
}

/** What the runner itself has done wrong. Pure. */
export function internalOutcome(message: string): Outcome {
  return { ...noEnding, code: "internal", message: message.slice(0, longestMessage) };
}

/** How a program ended, and what is to be known for saying what that means. */
export interface EndedRun {
  readonly ending: Ending;
  /** Why the runner ended it; also a limit that was passed as it ended by itself. */
  readonly reason: EndReason | null;
  readonly limits: OrderLimits;
  /** The adapter's opinion; it matters where the program has ended by itself. */
  readonly opinion: AdapterOutcome;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** What the end of a program means: the runner's own reason first, then what the adapter makes of it. Pure. */
export function outcomeOf({ ending, reason, limits, opinion, nowMs }: EndedRun): Outcome {
  const { exitCode, signal, lost, survivors = [] } = ending;
  const outcome = reason === null ? outcomeByItself(lost, opinion, nowMs) : outcomeOfReason(reason, limits);
  const left = `Processes that it left could not be ended: ${survivors.join(", ")}.`;
  const message = survivors.length === 0 ? outcome.message : `${outcome.message} ${left}`;
  return { ...outcome, message: message.slice(0, longestMessage), exitCode, signal };
}

function outcomeByItself(isLost: boolean, { code, message, ...again }: AdapterOutcome, nowMs: number): Outcome {
  if (isLost) {
    const message = "The program was killed by somebody else, or ended with its machine.";
    return { ...noEnding, code: "agent_error", message };
  }
  const { retryAtMs, retryAfterSec = null } = again;
  const named = retryAtMs === undefined ? retryAfterSec : Math.max(Math.ceil((retryAtMs - nowMs) / 1000), 0);
  return { ...noEnding, code, message, retryAfterSec: named === null ? null : Math.min(named, longestWaitSec) };
}
