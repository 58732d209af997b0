const mebibyte = 1024 * 1024;

/** What a run may take. */
export interface RunLimits {
  readonly wallSec: number;
  readonly silenceSec: number;
  /** Of both outputs together. */
  readonly mostSpoolBytes: number;
  /** What has to stay free where the spool is, for everybody else. */
  readonly leastFreeBytes: number;
}

/** The limits of every runner; those in seconds are the agent's settings. */
export const spoolLimits = { mostSpoolBytes: 256 * mebibyte, leastFreeBytes: 1024 * mebibyte };

/** What a run has taken. Times are in milliseconds since 1970, since they are compared across restarts. */
export interface RunMeasure {
  readonly nowMs: number;
  readonly startedMs: number;
  /** The last growth of an output; before any, the start. */
  readonly lastOutputMs: number;
  readonly spoolBytes: number;
  readonly freeBytes: number;
}

/** The limit that a run has passed: too much output, or too long in all or without output. */
export type Breach = "output_limit" | "wall" | "silence";

/** The limit that ends a run now, null when it may go on. Output goes first: it harms more than this run. Pure. */
export function breachOf(measure: RunMeasure, limits: RunLimits): Breach | null {
  if (measure.spoolBytes > limits.mostSpoolBytes || measure.freeBytes < limits.leastFreeBytes) return "output_limit";
  if (measure.nowMs - measure.startedMs >= limits.wallSec * 1000) return "wall";
  if (measure.nowMs - measure.lastOutputMs >= limits.silenceSec * 1000) return "silence";
  return null;
}
