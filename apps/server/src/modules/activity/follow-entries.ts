import type { ActivityEntry } from "@roster/contract";
import { Reached } from "../../platform/http/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { mayEndAccess } from "./ends-access.ts";
import { type EntryFilter, meets } from "./entry-filter.ts";
import type { Feed, Feeds } from "./feed.ts";
import { presentEntry } from "./present.ts";
import { listEntries } from "./store.ts";

const readAtOnce = 100;

/** Who follows, from where, and what of it is wanted. */
export interface Follower {
  readonly scope: Scope;
  readonly after: number;
  readonly filter: EntryFilter;
  readonly requireAccess: () => Promise<void>;
}

/**
 * The entries after a number as they come, without a gap: from what the server reads for all, or, where this follower
 * came or fell behind that, from the database by its own number. It ends when `signal` aborts; throws when the follower
 * may no more.
 */
export async function* followEntries(
  feeds: Feeds,
  follower: Follower,
  signal: AbortSignal,
): AsyncGenerator<ActivityEntry | Reached, void, undefined> {
  const { scope, after, filter, requireAccess } = follower;
  const feed = feeds.join(scope.companyId, signal);
  try {
    // Who is cut off before anything came has to know where it was.
    yield new Reached(after);
    for (let at = after; !signal.aborted; ) {
      if (at >= feed.newest) {
        await feed.news();
        continue;
      }
      const entry = feed.entry(at + 1);
      if (entry === undefined) {
        at = yield* catchUp(follower, feed, at);
        continue;
      }
      if (mayEndAccess(scope.caller, entry)) await requireAccess();
      if (meets(entry, filter)) yield entry;
      at += 1;
    }
  } finally {
    feed.leave();
  }
}

/** Reads a batch that the server does not keep any more; answers the number up to which nothing is left out. */
async function* catchUp(
  { scope, filter, requireAccess }: Follower,
  { newest }: Feed,
  at: number,
): AsyncGenerator<ActivityEntry, number, undefined> {
  const rows = await listEntries(scope, { after: at, before: newest + 1, limit: readAtOnce, filter });
  // The filter leaves out what would say that access has ended.
  await requireAccess();
  for (const row of rows) yield presentEntry(row);
  return rows.length === readAtOnce ? (rows.at(-1)?.seq ?? newest) : newest;
}
