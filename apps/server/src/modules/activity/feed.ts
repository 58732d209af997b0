import type { ActivityEntry } from "@roster/contract";
import type { Reader } from "../../platform/database/index.ts";
import type { Log } from "../../platform/log.ts";
import type { Signals } from "../../platform/signals.ts";
import { presentEntry } from "./present.ts";
import { listEntries } from "./store.ts";

/** The newest entries of one company, as one server reads them once for all who follow there. */
export interface Feed {
  /** The number of the newest entry read; below every number until the first are. */
  readonly newest: number;
  /** The entry of this number, while it is kept; who comes later reads it from the database. */
  entry(seq: number): ActivityEntry | undefined;
  /** Resolves when newer entries have been read, or nobody waits for them any more. One call at a time. */
  news(): Promise<void>;
  /** To be called once by who joined. */
  leave(): void;
}

/** The feeds of one server. */
export interface Feeds {
  /** Begins to follow a company until `signal` aborts: the first who does starts its reader, the last ends it. */
  join(companyId: string, signal: AbortSignal): Feed;
}

/** What reading for others takes. */
export interface FeedNeeds {
  readonly db: Reader;
  readonly signals: Signals;
  readonly log: Log;
}

const readAtOnce = 200;
/** Entries kept of a company: what is read on joining, and two batches for who is a little slower than the others. */
const mostKept = 400;
/** News come by signals; who misses one polls. */
const pollMs = 1000;

/** Feeds of a server, none of which reads before somebody joins it. */
export function createFeeds(needs: FeedNeeds): Feeds {
  const readers = new Map<string, Tail>();

  return {
    join(companyId, signal) {
      const tail = readers.get(companyId) ?? readTail(needs, companyId);
      readers.set(companyId, tail);
      const follower: Follower = { wake: () => undefined };
      const wake = (): void => follower.wake();
      tail.followers.add(follower);
      signal.addEventListener("abort", wake);
      return {
        get newest() {
          return tail.newest();
        },
        entry: tail.entry,
        news: () =>
          new Promise((resolve) => {
            follower.wake = resolve;
            if (signal.aborted) resolve();
          }),
        leave() {
          signal.removeEventListener("abort", wake);
          tail.followers.delete(follower);
          if (tail.followers.size > 0) return;
          readers.delete(companyId);
          tail.close();
        },
      };
    },
  };
}

interface Follower {
  wake: () => void;
}

/** The end of a log, which moves on while it is read. */
interface Tail extends Pick<Feed, "entry"> {
  readonly followers: Set<Follower>;
  newest(): number;
  close(): void;
}

function readTail({ db, signals, log }: FeedNeeds, companyId: string): Tail {
  const ear = signals.listen(companyId);
  const followers = new Set<Follower>();
  const kept: ActivityEntry[] = [];
  let newest: number | null = null;

  /** Answers whether there may be more. At first it looks back, for those who go on after they were cut off. */
  async function read(): Promise<boolean> {
    const isFirst = newest === null;
    const range = { limit: readAtOnce, before: null, after: newest ?? undefined };
    const rows = await listEntries({ companyId, db }, { ...range, filter: {} });
    if (isFirst) rows.reverse();
    kept.push(...rows.map(presentEntry));
    kept.splice(0, kept.length - mostKept);
    newest = rows.at(-1)?.seq ?? newest ?? 0;
    if (rows.length > 0) for (const follower of followers) follower.wake();
    return !isFirst && rows.length === readAtOnce;
  }

  async function readOn(): Promise<void> {
    while (ear.isOpen) {
      const isMore = await read().catch((error: unknown) => {
        if (ear.isOpen) log.error({ err: error, companyId }, "the log could not be read for who follows it");
        return false;
      });
      if (!isMore) await ear.next(pollMs);
    }
  }

  // It cannot fail: what does is logged, and tried again.
  void readOn();
  return {
    followers,
    newest: () => newest ?? -1,
    entry: (seq) => kept[seq - (kept[0]?.seq ?? 0)],
    close: () => ear.close(),
  };
}
