import { constants } from "node:os";
import type { Breach } from "./limits.ts";

/** Why a run is ended from outside: the server's reasons, and that no server is there any more. */
export const requestedEndings = ["cancelled", "budget_exhausted", "service_stop", "orphaned"] as const;
/** Why a run is ended from outside. */
export type RequestedEnding = (typeof requestedEndings)[number];

/** Why the runner itself ended a run. */
export type EndReason = Breach | RequestedEnding | "stale_lease";

/** How a run's program ended; exactly one of `exitCode` and `signal` is there. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True when it vanished without a status and the runner did not end it: killed by someone else, or with its machine. */
  readonly lost: boolean;
  /** Why the runner asked it to end; it may have ended by itself at the same moment, which `exitCode` then shows. */
  readonly reason: EndReason | null;
  /** Processes it left that could not be killed; absent when there are none. */
  readonly survivors?: readonly number[];
}

const signals = Object.entries(constants.signals) as [NodeJS.Signals, number][];

/** What is left of a run whose program has ended. */
export interface Remains {
  readonly status: string | null;
  readonly survivors: readonly number[];
}

/** The ending of a program, with what outlived it. Pure. */
export function endingWith({ status, survivors }: Remains, reason: EndReason | null): Ending {
  const ending = endingOf(status, reason);
  return survivors.length === 0 ? ending : { ...ending, survivors };
}

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
