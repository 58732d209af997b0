import type { AdapterEvent, AdapterSpec } from "@roster/adapter";
import type { Login } from "./check.ts";

/**
 * A part of a start: its texts hold `{names}` of values, and with `when` it is left out where that value is missing or
 * false. Values are the settings, and what an order has: `session`, `instructionsFile`, `instructionsFolder`,
 * `skillsFolder`, `ownFolder`; `modelProvider` and `modelName` are the parts of a model that is named `provider/name`.
 */
export interface Given {
  readonly when?: string;
  readonly texts: readonly string[];
}

/** Something below the run's own folder: a link, or an object as JSON, whose texts hold `{names}` of values. */
export interface PlacedByManifest {
  readonly when: string;
  readonly path: string;
  readonly to?: string;
  readonly json?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Where a field of an event comes from: a path in the line (or in the entry that is looked at), the first of several at
 * which there is something, an amount above nothing, a sum or a difference of amounts, the name of the entry, a value of
 * the order, or whether a field is this text.
 */
export type Source =
  | string
  | { readonly firstOf: readonly string[] }
  | { readonly positive: string }
  | { readonly sum: readonly string[] }
  | { readonly of: string; readonly minus: string }
  | { readonly entryName: true }
  | { readonly value: string }
  | { readonly at: string; readonly is: string }
  | { readonly always: string };

/** Lines in which these fields have these texts become this event. */
export interface LineRule {
  readonly when: Readonly<Record<string, string>>;
  /** One event for each entry of this object. */
  readonly each?: string;
  readonly make: Exclude<AdapterEvent["kind"], "output">;
  readonly fields: Readonly<Record<string, Source>>;
  /** Comes in pieces: their texts are one message, told when another line comes. */
  readonly joins?: true;
}

/** Lines that say what went wrong. */
export interface TroubleRule {
  readonly when: Readonly<Record<string, string>>;
  readonly words: string;
  /** Status of HTTP, where it is told. */
  readonly status?: string;
}

/** How a program that works on its own is used as an agent: all that its adapter is made of beside its settings. */
export interface Manifest {
  readonly spec: AdapterSpec;
  readonly login: Login;
  readonly arguments: readonly Given[];
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Where instructions and skills go: into a folder of the run that this variable names. Without one, and where the
   * agent's own env has the variable, the prompt begins with where they are.
   */
  readonly folder: { readonly variable: string; readonly places: readonly PlacedByManifest[] } | null;
  readonly stream: {
    /** Types of lines that the program prints, whether something is made of them or not. */
    readonly types: readonly string[];
    readonly rules: readonly LineRule[];
    readonly troubles: readonly TroubleRule[];
  };
}
