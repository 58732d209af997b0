import { Refused } from "./refused.ts";
import { Unanswered } from "./unanswered.ts";

const firstMs = 250;
const longestMs = 10_000;
// What a proxy says when the service is not there, and what the service says when it is too much for it.
const passingStatuses = new Set([429, 502, 503, 504]);

/** How long a call is insisted on. */
export interface Insisting {
  readonly retries: number;
  /** Longest for one try. */
  readonly timeoutMs: number;
  /** Longest for all tries and the waits between them. */
  readonly totalMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Tries until there is an answer, or a refusal that another try would meet again; `attempt` is told how long it may take.
 * Throws the last failure where no more tries, or no more time, are left.
 */
export async function tryAgain<T>(insisting: Insisting, attempt: (withinMs: number) => Promise<T>): Promise<T> {
  const { retries, timeoutMs, totalMs, signal } = insisting;
  const until = performance.now() + totalMs;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt(Math.min(timeoutMs, until - performance.now()));
    } catch (error) {
      const waitMs = waitAfter(error, failures);
      const isLast = failures >= retries || performance.now() + waitMs >= until;
      if (isLast || !isPassing(error)) throw error;
      await pause(waitMs, signal);
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof Unanswered || (error instanceof Refused && passingStatuses.has(error.status));

/**
 * How long to wait after so many failures in a row, and after a refusal that says how long: from nothing to a time that
 * doubles, so that not all who were refused come back at once.
 */
export function waitAfter(error: unknown, failures: number, first = firstMs): number {
  const asked = error instanceof Refused ? (error.retryAfterSec ?? 0) * 1000 : 0;
  return asked + Math.random() * Math.min(first * 2 ** Math.min(failures, 20), Math.max(first, longestMs));
}

/** Waits, in milliseconds; throws the signal's reason as soon as it aborts. */
export function pause(forMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", give);
      resolve();
    }, forMs);
    if (signal?.aborted) give();
    signal?.addEventListener("abort", give, { once: true });
  });
}
