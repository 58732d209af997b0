import { type Egress, faultOf } from "@roster/egress";
import type { Turns } from "../../platform/turns.ts";
import { fetchFile } from "./fetch-file.ts";
import { fetchRepository } from "./fetch-repository.ts";
import type { Offer } from "./offer.ts";
import type { Source } from "./parse-source.ts";
import { refusalOfSource } from "./refused-source.ts";

/** What fetching needs of the process. */
export interface FetchNeeds {
  readonly egress: Egress;
  /** How many fetch at once; the others wait. */
  readonly turns: Turns;
}

/** Longest that an import waits for its source, its turn included. */
const mostMs = 60_000;

/** What a source elsewhere offers. Refuses one that may not be asked, cannot be had, or is not what can be taken. */
export async function fetchSource(
  { egress, turns }: FetchNeeds,
  source: Exclude<Source, { kind: "folder" }>,
  gone: AbortSignal,
): Promise<Offer> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(mostMs)]);
  try {
    return await turns.take(signal, () =>
      source.kind === "git" ? fetchRepository(egress, source, signal) : fetchFile(egress, source.url, signal),
    );
  } catch (error) {
    throw refusalOfSource(signal.aborted ? faultOf(signal.reason) : error);
  }
}
