/** How long something took, over many times. */
export interface Delay {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The middle of these milliseconds, and what only one of a hundred exceeds. Pure. */
export function delay(values: readonly number[]): Delay {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
