import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, type SQL } from "drizzle-orm";
import { alias, unionAll } from "drizzle-orm/pg-core";
import { activity, activityHeads } from "../../platform/activity/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { users } from "../accounts/index.ts";
import { agents } from "../agents/index.ts";
import type { EntryFilter } from "./entry-filter.ts";

/** Whose log. */
export type LogPlace = Pick<Scope, "companyId" | "db">;

/** Which entries, in which direction, from where. `after` lists ascending; else newest first; none from `before` on. */
export interface ActivityPage {
  readonly limit: number;
  readonly before: number | null;
  readonly after: number | undefined;
  readonly filter: EntryFilter;
}

const cause = alias(activity, "cause");
const root = alias(activity, "root");

/** The number of the newest entry of a log; 0 where there is none. */
export async function lastSeqOf({ companyId, db }: LogPlace): Promise<number> {
  const [head] = await db
    .select({ lastSeq: activityHeads.lastSeq })
    .from(activityHeads)
    .where(eq(activityHeads.companyId, companyId));
  return head?.lastSeq ?? 0;
}

/** Entries of a log with the sequence numbers of their causes and the names of who acted. */
export function listEntries(scope: LogPlace, page: ActivityPage) {
  return scope.db
    .select({
      ...getTableColumns(activity),
      causeSeq: cause.seq,
      rootSeq: root.seq,
      agentName: agents.name,
      userName: users.name,
    })
    .from(activity)
    .leftJoin(cause, and(eq(cause.companyId, activity.companyId), eq(cause.id, activity.causeId)))
    .leftJoin(root, and(eq(root.companyId, activity.companyId), eq(root.id, activity.rootId)))
    .leftJoin(agents, and(eq(agents.companyId, activity.companyId), eq(agents.id, activity.actorId)))
    .leftJoin(users, and(eq(activity.actorKind, "user"), eq(users.id, activity.actorId)))
    .where(wanted(scope, page))
    .orderBy(order(page))
    .limit(page.limit);
}

/** One entry as listed. */
export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number];

const order = (page: ActivityPage): SQL => (page.after === undefined ? desc(activity.seq) : asc(activity.seq));

function wanted(scope: LogPlace, page: ActivityPage): SQL | undefined {
  const { agentId, actor, entityType, entityId, action } = page.filter;
  const filters = and(
    inRange(scope, page),
    actor === undefined ? undefined : eq(activity.actorId, actor),
    entityType === undefined ? undefined : eq(activity.entityType, entityType),
    entityId === undefined ? undefined : eq(activity.entityId, entityId),
    action === undefined ? undefined : eq(activity.action, action),
  );
  if (agentId === undefined) return filters;
  return and(filters, inArray(activity.seq, byOrAbout(scope, page, { agentId, filters })));
}

function inRange(scope: LogPlace, page: ActivityPage): SQL | undefined {
  return and(
    eq(activity.companyId, scope.companyId),
    page.before === null ? undefined : lt(activity.seq, page.before),
    page.after === undefined ? undefined : gt(activity.seq, page.after),
  );
}

/** Two walks along an index each, so that an agent with a long history costs no more than one with a short one. */
function byOrAbout(
  scope: LogPlace,
  page: ActivityPage,
  { agentId, filters }: { agentId: string; filters: SQL | undefined },
) {
  const walk = (condition: SQL) =>
    scope.db
      .select({ seq: activity.seq })
      .from(activity)
      .where(and(filters, condition))
      .orderBy(order(page))
      .limit(page.limit);
  return unionAll(walk(eq(activity.actorId, agentId)), walk(eq(activity.entityId, agentId)));
}
