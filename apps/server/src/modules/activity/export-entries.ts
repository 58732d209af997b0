import type { ActivityEntry } from "@roster/contract";
import type { EntryFilter } from "./entry-filter.ts";
import { presentEntry } from "./present.ts";
import { type LogPlace, lastSeqOf, listEntries } from "./store.ts";

const batchSize = 200;

/**
 * The entries after a number, oldest first, up to the newest there is when it begins: what is written meanwhile would
 * have no end. Between two batches nothing is held, of the database or in memory.
 */
export async function* exportEntries(
  place: LogPlace,
  { after, filter }: { after: number; filter: EntryFilter },
): AsyncGenerator<ActivityEntry[]> {
  const before = (await lastSeqOf(place)) + 1;
  for (let at = after; ; ) {
    const rows = await listEntries(place, { after: at, before, limit: batchSize, filter });
    yield rows.map(presentEntry);
    if (rows.length < batchSize) return;
    at = rows.at(-1)?.seq ?? at;
  }
}
