import { parseArgs } from "node:util";
import { measurements } from "./measurements.ts";
import { scenarios } from "./scenarios.ts";

/** What of it is measured, and for how long. */
export interface Options {
  /** Name of a scenario or of a measurement, or "start"; null for everything. */
  readonly only: string | null;
  /** Of each round of load. */
  readonly seconds: number;
  /** Writes what the server's processor did to the folder of the results. */
  readonly profile: boolean;
  /** Tells which statements a run is made of. */
  readonly statements: boolean;
}

const names = ["start", ...[...measurements, ...scenarios].map(({ name }) => name)];

/** Reads the command line; throws an error whose message says what is right. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      seconds: { type: "string" },
      profile: { type: "boolean" },
      statements: { type: "boolean" },
    },
  });
  const { only = null, seconds = "3", profile = false, statements = false } = values;
  if (only !== null && !names.includes(only)) throw new Error(`--only takes one of: ${names.join(", ")}`);
  if (!(Number(seconds) >= 1)) throw new Error("--seconds takes a number of at least 1");
  return { only, seconds: Number(seconds), profile, statements };
}
