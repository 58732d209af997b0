import { setTimeout as pause } from "node:timers/promises";
import { Refused } from "@roster/client";
import { isStale, isUnfit } from "./refusals.ts";

const firstMs = 250;
const longestMs = 5000;
const longestAskedMs = 60_000;

/** How long to wait after so many failures in a row: from 0.25 to 5 s, spread so that not all come back at once. */
export function backoffMs(failures: number, error?: unknown): number {
  const asked = error instanceof Refused ? (error.retryAfterSec ?? 0) * 1000 : 0;
  const wait = Math.min(firstMs * 2 ** Math.min(failures, 10), longestMs);
  return Math.max(wait * (0.5 + Math.random() / 2), Math.min(asked, longestAskedMs));
}

/** Waits; ends early, without a word, when the signal is aborted. */
export async function wait(forMs: number, signal: AbortSignal): Promise<void> {
  await pause(forMs, undefined, { signal }).catch(() => undefined);
}

/** How a call is insisted on. */
export interface Insisting {
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown, failures: number) => void;
  /** What is thrown at once, because trying again would not change it. */
  readonly isFinal?: (error: unknown) => boolean;
}

const isRefusedForGood = (error: unknown): boolean => isStale(error) || isUnfit(error);

/**
 * Tries until there is an answer. Throws what is final: by default a stale lease and what is refused as it is; and the
 * reason of the signal once that is aborted.
 */
export async function insist<T>(attempt: () => Promise<T>, insisting: Insisting): Promise<T> {
  const { signal, onFailure, isFinal = isRefusedForGood } = insisting;
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (isFinal(error)) throw error;
      onFailure(error, failures + 1);
      await wait(backoffMs(failures, error), signal);
    }
  }
}
