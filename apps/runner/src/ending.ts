import { constants } from "node:os";
import type { Breach } from "./limits.ts";

/** Why the runner itself ended a run. */
export type EndReason = Breach | "cancelled" | "budget_exhausted" | "service_stop" | "stale_lease" | "orphaned";

/** How a run's program ended; exactly one of `exitCode` and `signal` is there. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True when it vanished without a status and the runner did not end it: killed by someone else, or with its machine. */
  readonly lost: boolean;
  /** Why the runner asked it to end; it may have ended by itself at the same moment, which `exitCode` then shows. */
  readonly reason: EndReason | null;
}

const signals = Object.entries(constants.signals) as [NodeJS.Signals, number][];

/** Reads what the wrapper left. No status (null) means that the wrapper itself was killed. Pure. */
export function endingOf(status: string | null, reason: EndReason | null): Ending {
  if (status === null || !/^\d+$/.test(status)) {
    return { exitCode: null, signal: "SIGKILL", lost: reason === null, reason };
  }
  const code = Number(status);
  // 255 and its like are exit codes that many programs use; there is no signal 127.
  const signal = code > 128 ? signals.find(([, number]) => number === code - 128) : undefined;
  if (signal) return { exitCode: null, signal: signal[0], lost: false, reason };
  return { exitCode: code, signal: null, lost: false, reason };
}
