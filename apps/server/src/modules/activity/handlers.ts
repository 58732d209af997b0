import type { ActivityEntry, Contract, Query } from "@roster/contract";
import { decodeCursor, type HandlersOf, type Paged, pageOf } from "../../platform/http/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { presentEntry } from "./present.ts";
import { listEntries } from "./store.ts";

type Filters = Query<Contract["activity"]["list"]>;

/** Operations on the activity log. */
export const activityHandlers: HandlersOf<Contract["activity"]> = {
  list: (scope, { query }) => list(scope, query),
  listInstance: (scope, { query }) => list(scope, query),
};

async function list(scope: Scope, { limit, cursor, after, ...filters }: Filters): Promise<Paged<ActivityEntry>> {
  const key = decodeCursor(cursor, (text) => /^\d{1,15}$/.test(text));
  const ascending = after !== undefined;
  const rows = await listEntries(scope, {
    limit: limit + 1,
    before: ascending || key === null ? null : Number(key),
    after: ascending ? Number(key ?? after) : undefined,
    agentId: filters.agentId,
    actor: filters.actor,
    entityType: filters.entityType,
    entityId: filters.entityId,
    action: filters.action,
  });
  return pageOf(rows, limit, (row) => row.seq, presentEntry);
}
