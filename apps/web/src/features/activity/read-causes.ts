import type { ActivityEntry } from "@roster/client";
import { client } from "../../api/client.ts";

/** Most steps back that are followed. */
const longestChain = 30;
const pageSize = 200;
/** Most pages after the beginning that are looked through for what came of it. */
const mostPages = 3;

/** What led to an entry, and what else came of the same beginning. */
export interface Causes {
  readonly chosen: ActivityEntry | null;
  readonly entries: readonly ActivityEntry[];
  /** More may have come of it than was looked through. */
  readonly isCut: boolean;
}

/** Reads the causes of an entry back to the beginning, and what came of that soon after it. */
export async function readCauses(companyId: string, seq: number, signal: AbortSignal): Promise<Causes> {
  const params = { companyId };
  const entryAt = async (at: number): Promise<ActivityEntry | undefined> =>
    (await client.activity.list({ params, query: { after: at - 1, limit: 1 }, signal })).items[0];
  const chosen = await entryAt(seq);
  if (chosen?.seq !== seq) return { chosen: null, entries: [], isCut: false };
  const chain = [chosen];
  for (let next = chosen.cause.seq; next !== null && chain.length < longestChain; ) {
    const entry = await entryAt(next);
    if (entry === undefined) break;
    chain.push(entry);
    next = entry.cause.seq;
  }
  const { rootSeq } = chosen.cause;
  const found = new Map(chain.map((entry) => [entry.seq, entry]));
  let after = rootSeq - 1;
  for (let page = 0; page < mostPages; page += 1) {
    const { items } = await client.activity.list({ params, query: { after, limit: pageSize }, signal });
    for (const entry of items) if (entry.cause.rootSeq === rootSeq) found.set(entry.seq, entry);
    after = items.at(-1)?.seq ?? after;
    if (items.length < pageSize) return { chosen, entries: [...found.values()], isCut: false };
  }
  return { chosen, entries: [...found.values()], isCut: true };
}

/**
 * The last entry before a moment; 0 where there is none. Entries are numbered without a gap as they happened, so that
 * twenty questions find it among a million.
 */
export async function lastSeqBefore(companyId: string, moment: string, signal: AbortSignal): Promise<number> {
  const params = { companyId };
  const newest = (await client.activity.list({ params, query: { limit: 1 }, signal })).items[0];
  let low = 0;
  for (let high = newest?.seq ?? 0; low < high; ) {
    const middle = Math.floor((low + high) / 2);
    const { items } = await client.activity.list({ params, query: { after: middle, limit: 1 }, signal });
    if ((items[0]?.createdAt ?? moment) >= moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
