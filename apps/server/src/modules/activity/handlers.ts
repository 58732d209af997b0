import type { ActivityEntry, Contract, Query } from "@roster/contract";
import { decodeCursor, type HandlersOf, type Paged, pageOf } from "../../platform/http/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { exportEntries } from "./export-entries.ts";
import { createFeeds, type FeedNeeds } from "./feed.ts";
import { followEntries } from "./follow-entries.ts";
import { presentEntry } from "./present.ts";
import { lastSeqOf, listEntries } from "./store.ts";

type Listing = Query<Contract["activity"]["list"]>;
type Exporting = Query<Contract["activity"]["export"]>;

const nothing: Paged<ActivityEntry> = { items: [], next: null };

/** Operations on the activity log. */
export function activityHandlers(needs: FeedNeeds): HandlersOf<Contract["activity"]> {
  const feeds = createFeeds(needs);
  return {
    list: (scope, { query }) => list(scope, query),
    export: async (scope, { query }) => exported(scope, query),
    events: async (scope, { query, follows, requireAccess }) => {
      const { limit: _limit, cursor: _cursor, after: asked, ...filter } = query;
      // Looked up before the answer begins: who has seen that it began misses nothing from then on.
      const after = asked ?? (follows ? await lastSeqOf(scope) : 0);
      const page = follows ? nothing : await list(scope, { ...query, after });
      const follower = { scope, after, filter, requireAccess };
      return { ...page, follow: (signal) => followEntries(feeds, follower, signal) };
    },
    listInstance: (scope, { query }) => list(scope, query),
    exportInstance: async (scope, { query }) => exported(scope, query),
  };
}

async function list(scope: Scope, { limit, cursor, after, ...filter }: Listing): Promise<Paged<ActivityEntry>> {
  const key = decodeCursor(cursor, (text) => /^\d{1,15}$/.test(text));
  const ascending = after !== undefined;
  const rows = await listEntries(scope, {
    limit: limit + 1,
    before: ascending || key === null ? null : Number(key),
    after: ascending ? Number(key ?? after) : undefined,
    filter,
  });
  return pageOf(rows, limit, (row) => row.seq, presentEntry);
}

const exported = (scope: Scope, { after, ...filter }: Exporting) => exportEntries(scope, { after, filter });
