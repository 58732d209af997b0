import { and, desc, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { agentRevisions } from "./table.ts";

/** A revision as stored. */
export type RevisionRow = typeof agentRevisions.$inferSelect;

const ofAgent = (scope: Scope, agentId: string): SQL | undefined =>
  and(eq(agentRevisions.companyId, scope.companyId), eq(agentRevisions.agentId, agentId));

/** Adds a revision. */
export async function insertRevision(change: Change, row: RevisionRow): Promise<void> {
  await change.write.insert(agentRevisions).values(row);
}

/** Revisions of an agent newest first, at most `limit`, below the number `before`; without their contents. */
export function listRevisions(scope: Scope, page: { agentId: string; limit: number; before: number | null }) {
  const { content: _, ...columns } = getTableColumns(agentRevisions);
  return scope.db
    .select(columns)
    .from(agentRevisions)
    .where(and(ofAgent(scope, page.agentId), page.before === null ? undefined : lt(agentRevisions.number, page.before)))
    .orderBy(desc(agentRevisions.number))
    .limit(page.limit);
}

/** A revision of this agent; throws Missing (which the query named at `path`, if given). */
export async function getRevision(scope: Scope, agentId: string, id: string, path?: string): Promise<RevisionRow> {
  const [row] = await scope.db
    .select()
    .from(agentRevisions)
    .where(and(ofAgent(scope, agentId), eq(agentRevisions.id, id)));
  if (row === undefined) throw new Missing("agent_revision", id, path);
  return row;
}

/** The revision of this agent with this number, or null. */
export async function findRevision(scope: Scope, agentId: string, number: number): Promise<RevisionRow | null> {
  const [row] = await scope.db
    .select()
    .from(agentRevisions)
    .where(and(ofAgent(scope, agentId), eq(agentRevisions.number, number)));
  return row ?? null;
}

const { content: _, ...listedColumns } = getTableColumns(agentRevisions);

/**
 * The newest revision that changed what stands at this path, something in it, or something around it; without one the
 * first. Null where the agent has none.
 */
export async function findRevisionBehind(scope: Scope, agentId: string, path: string) {
  const touches = sql`exists (select from jsonb_array_elements_text(${agentRevisions.changed}) c (path)
    where c.path = ${path} or starts_with(c.path, ${`${path}.`}) or starts_with(${path}, c.path || '.'))`;
  const [row] = await scope.db
    .select(listedColumns)
    .from(agentRevisions)
    .where(and(ofAgent(scope, agentId), sql`(${agentRevisions.number} = 1 or ${touches})`))
    .orderBy(desc(agentRevisions.number))
    .limit(1);
  return row ?? null;
}
