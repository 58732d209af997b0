const firstDelayMs = 500;
const longestDelayMs = 10_000;
const settledAfterMs = 30_000;

/** How long to wait before a process is started again, after the wait before (0: none) and the time it lived. */
export function nextDelayMs(previousMs: number, livedMs: number): number {
  if (previousMs === 0 || livedMs >= settledAfterMs) return firstDelayMs;
  return Math.min(previousMs * 2, longestDelayMs);
}
