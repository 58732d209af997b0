import type { Stage } from "./stage.ts";
import type { Verdict } from "./verdict.ts";

/** Something that is measured in a way of its own, other than by requests against a floor. */
export interface Measurement {
  readonly name: string;
  measure(stage: Stage): Promise<Measured>;
}

/** What was found: all of it for the results, and each value that something is aimed at. */
export interface Measured {
  readonly figures: unknown;
  readonly verdicts: readonly Verdict[];
}
