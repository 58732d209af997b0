import type { Stage } from "./stage.ts";
import type { Verdict } from "./verdict.ts";

/** Something that is measured in a way of its own, other than by requests against a floor. */
export interface Measurement {
  readonly name: string;
  measure(stage: Stage, wish: Wish): Promise<Measured>;
}

/** What is to be told beside the figures. */
export interface Wish {
  /** The text of each statement that was counted. */
  readonly statements: boolean;
}

/** What was found: all of it for the results, and each value that something is aimed at. */
export interface Measured {
  readonly figures: unknown;
  readonly verdicts: readonly Verdict[];
  /** What was wished for beside them, for people. */
  readonly appendix?: string;
}
