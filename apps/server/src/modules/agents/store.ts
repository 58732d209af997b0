import { and, desc, eq, getTableColumns, like, lt, ne, type SQL, sql } from "drizzle-orm";
import { type Change, LostRace } from "../../platform/change.ts";
import { databaseFault, prepared, type Reader } from "../../platform/database/index.ts";
import type { Located } from "../../platform/locate.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { heldBy, spend, spendColumns, spendOf } from "../budgets/index.ts";
import { companies } from "../companies/index.ts";
import { checkOfAgent, type StoredCheck } from "./check-store.ts";
import { agentChecks, agentRevisions, agents } from "./table.ts";

/** An agent's own columns. */
export type AgentValues = typeof agents.$inferSelect;
/** An agent as stored, with what it spent this month and what its last check found. */
export type AgentRow = AgentValues & { readonly spentMicros: number; readonly check: StoredCheck | null };

/** What of an agent its runs move: its state, and how they failed. */
export type AgentCourse = Pick<AgentRow, "status" | "pauseReason" | "failureCode" | "failureCount">;

const selectAgents = (db: Reader) =>
  db
    .select({ ...getTableColumns(agents), spentMicros: spendColumns.spentMicros, check: checkOfAgent })
    .from(agents)
    .leftJoin(spend, spendOf(agents.companyId, agents.id));

const oneAgent = (db: Reader) =>
  selectAgents(db).where(and(eq(agents.companyId, sql.placeholder("companyId")), eq(agents.id, sql.placeholder("id"))));
const readAgent = prepared("agent", oneAgent);
const lockedAgent = {
  update: prepared("agent-update", (db) => oneAgent(db).for("update", { of: agents })),
  share: prepared("agent-share", (db) => oneAgent(db).for("share", { of: agents })),
};
const named = ({ companyId }: Scope, id: string) => ({ companyId, id });

const isAgent = (scope: Scope, id: string): SQL | undefined =>
  and(eq(agents.companyId, scope.companyId), eq(agents.id, id));

/** The agent of the scope's company; throws Missing (which a body named at `path`, if given). */
export async function getAgent(scope: Scope, id: string, path?: string): Promise<AgentRow> {
  const [row] = await readAgent(scope.db, named(scope, id));
  if (row === undefined) throw new Missing("agent", id, path);
  return row;
}

/** The same, locked until the change ends. Agents are locked before their company. */
export async function lockAgent(change: Change, id: string, mode: "update" | "share" = "update"): Promise<AgentRow> {
  const [row] = await lockedAgent[mode](change.db, named(change, id));
  if (row === undefined) throw new Missing("agent", id);
  return row;
}

/** Agents newest first, at most `limit`, older than the one with id `before`. */
export function listAgents(
  scope: Scope,
  page: { limit: number; before: string | null; status: AgentRow["status"] | undefined },
): Promise<AgentRow[]> {
  return selectAgents(scope.db)
    .where(
      and(
        eq(agents.companyId, scope.companyId),
        page.before === null ? undefined : lt(agents.id, page.before),
        page.status === undefined ? undefined : eq(agents.status, page.status),
      ),
    )
    .orderBy(desc(agents.id))
    .limit(page.limit);
}

/** At most `limit` living agents with what the reporting tree shows, oldest first. */
export function listPlaces(scope: Scope, limit: number) {
  const { id, name, role, title, icon, status, reportsTo } = agents;
  return scope.db
    .select({ id, name, role, title, icon, status, reportsTo })
    .from(agents)
    .where(and(eq(agents.companyId, scope.companyId), ne(agents.status, "terminated")))
    .orderBy(agents.id)
    .limit(limit);
}

/** Finds an agent by the name its addresses carry. */
export async function findAgentByUrlKey(db: Reader, urlKey: string, companyId: string): Promise<Located | null> {
  const [row] = await db
    .select({ id: agents.id, companyId: agents.companyId })
    .from(agents)
    .where(and(eq(agents.companyId, companyId), eq(agents.urlKey, urlKey)));
  return row ?? null;
}

/** Managers above an agent, nearest first; those who are terminated are passed over. */
const chainOfCommand = sql<{ id: string; name: string; title: string | null; role: string }[]>`coalesce((
  with recursive chain as (
    select m.id, m.name, m.title, m.role, m.status, m.reports_to, 1 as depth
    from agents m where m.company_id = ${agents.companyId} and m.id = ${agents.reportsTo}
    union all
    select m.id, m.name, m.title, m.role, m.status, m.reports_to, c.depth + 1
    from chain c join agents m on m.company_id = ${agents.companyId} and m.id = c.reports_to
  )
  select json_agg(json_build_object('id', id, 'name', name, 'title', title, 'role', role) order by depth)
  from chain where status <> 'terminated'), '[]'::json)`;

const selectMe = prepared("me", (db) =>
  db
    .select({
      agent: getTableColumns(agents),
      company: {
        id: companies.id,
        name: companies.name,
        issuePrefix: companies.issuePrefix,
        status: companies.status,
        goal: companies.goal,
      },
      ...spendColumns,
      heldMicros: heldBy(agents.companyId, agents.id),
      chainOfCommand,
    })
    .from(agents)
    .innerJoin(companies, eq(companies.id, agents.companyId))
    .leftJoin(spend, spendOf(agents.companyId, agents.id))
    .where(and(eq(agents.companyId, sql.placeholder("companyId")), eq(agents.id, sql.placeholder("agentId")))),
);

/** Everything an agent is told about itself, in one statement. */
export async function getMe(scope: Scope, agentId: string) {
  const [row] = await selectMe(scope.db, { companyId: scope.companyId, agentId });
  if (row === undefined) throw new Missing("agent", agentId);
  return row;
}

/** True when `managerId` is `agentId` itself or works below it. Stays so only while the company is locked. */
export async function worksBelow(scope: Scope, managerId: string, agentId: string): Promise<boolean> {
  const rows = await scope.db.execute<{ found: number }>(sql`
    with recursive above as (
      select id, reports_to from agents where company_id = ${scope.companyId} and id = ${managerId}
      union
      select m.id, m.reports_to from above a join agents m on m.company_id = ${scope.companyId} and m.id = a.reports_to
    )
    select 1 as found from above where id = ${agentId}`);
  return rows.length > 0;
}

const urlKeysLike = prepared("url-keys", (db) =>
  db
    .select({ urlKey: agents.urlKey })
    .from(agents)
    .where(and(eq(agents.companyId, sql.placeholder("companyId")), like(agents.urlKey, sql.placeholder("pattern")))),
);

/** Which of these candidates for a urlKey are taken. */
export async function takenUrlKeys(change: Change, first: string): Promise<Set<string>> {
  const rows = await urlKeysLike(change.db, { companyId: change.companyId, pattern: `${first}%` });
  return new Set(rows.map(({ urlKey }) => urlKey));
}

/** Adds an agent with its first revision, which is to be checked, in one statement; throws LostRace when its urlKey was taken meanwhile. */
export async function insertAgent(
  change: Change,
  agent: AgentValues,
  revision: typeof agentRevisions.$inferSelect,
): Promise<void> {
  const { write } = change;
  const added = write.$with("added").as(write.insert(agents).values(agent).returning({ id: agents.id }));
  const waiting = { companyId: agent.companyId, agentId: agent.id, revisionId: revision.id } as const;
  const checked = write.$with("checked").as(
    write
      .insert(agentChecks)
      .values({ ...waiting, state: "unchecked", findings: [] })
      .returning({ agentId: agentChecks.agentId }),
  );
  await write
    .with(added, checked)
    .insert(agentRevisions)
    .values(revision)
    .catch((error: unknown) => {
      if (databaseFault(error)?.constraint === "agents_url_key") throw new LostRace(`urlKey ${agent.urlKey}`);
      throw error;
    });
}

/** Writes an edit of a locked agent and raises its version. */
export async function updateAgent(change: Change, row: AgentRow, values: Partial<AgentValues>): Promise<AgentRow> {
  const [updated] = await change.write
    .update(agents)
    .set({ ...values, version: row.version + 1, updatedAt: change.now })
    .where(and(isAgent(change, row.id), eq(agents.version, row.version)))
    .returning();
  if (updated === undefined) throw new Error("a locked agent changed under its lock");
  return { ...updated, spentMicros: row.spentMicros, check: row.check };
}

/** Moves a locked agent to another state; the `where` says once more from which. Its ETag stays. */
export async function moveAgentRow(
  change: Change,
  row: AgentRow,
  to: Pick<AgentValues, "status" | "pauseReason"> & Partial<AgentValues>,
): Promise<AgentRow> {
  const [updated] = await change.write
    .update(agents)
    .set({ ...to, updatedAt: change.now })
    .where(and(isAgent(change, row.id), eq(agents.status, row.status)))
    .returning();
  if (updated === undefined) throw new Error("a locked agent moved under its lock");
  return { ...updated, spentMicros: row.spentMicros, check: row.check };
}

/** Moves a locked agent from the state in which it was locked, by the course of its runs. */
export async function moveLockedAgent(
  change: Change,
  { id, status }: Pick<AgentRow, "id" | "status">,
  { status: to, pauseReason, failureCode, failureCount }: AgentCourse,
): Promise<void> {
  await change.write
    .update(agents)
    .set({ status: to, pauseReason, failureCode, failureCount })
    .where(and(isAgent(change, id), eq(agents.status, status)));
}

/** Agents with their present revision, newest first; only the agent `id` where it is given. */
export function listConfigurations(scope: Scope, page: { limit: number; before: string | null; id?: string }) {
  return scope.db
    .select({
      agent: getTableColumns(agents),
      revision: { id: agentRevisions.id, number: agentRevisions.number, contentHash: agentRevisions.contentHash },
    })
    .from(agents)
    .innerJoin(
      agentRevisions,
      and(
        eq(agentRevisions.companyId, agents.companyId),
        eq(agentRevisions.agentId, agents.id),
        eq(agentRevisions.number, agents.revisionNumber),
      ),
    )
    .where(
      and(
        eq(agents.companyId, scope.companyId),
        page.id === undefined ? undefined : eq(agents.id, page.id),
        page.before === null ? undefined : lt(agents.id, page.before),
      ),
    )
    .orderBy(desc(agents.id))
    .limit(page.limit);
}

/** An agent with its present revision. */
export type ConfigurationRow = Awaited<ReturnType<typeof listConfigurations>>[number];
