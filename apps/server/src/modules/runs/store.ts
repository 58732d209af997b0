import { shownWakes } from "@roster/contract";
import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { activity } from "../../platform/activity/index.ts";
import type { Change } from "../../platform/change.ts";
import { prepared, type Reader } from "../../platform/database/index.ts";
import { instance } from "../../platform/instance.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { agentRevisions, agents } from "../agents/index.ts";
import { attention } from "../attention/index.ts";
import { type Account, lacksOf } from "../budgets/index.ts";
import { companies } from "../companies/index.ts";
import type { Standing } from "./admission.ts";
import { accountOf } from "./budget-store.ts";
import { leases, outputRetention, runs, wakes } from "./table.ts";

/** A run's own columns. */
export type RunValues = typeof runs.$inferSelect;

/** A wake as it is shown with its run. */
export interface ShownWake {
  readonly id: string;
  readonly source: (typeof wakes.$inferSelect)["source"];
  readonly reason: string;
  readonly payload: (typeof wakes.$inferSelect)["payload"];
  readonly causeSeq: number | null;
  /** As PostgreSQL writes it into JSON. */
  readonly createdAt: string;
}

/** Runs of an agent under way: an index of its own, and never more than an agent may have. */
export const underWay = sql<number>`(select count(*)::int from ${runs} u where u.company_id = ${agents.companyId}
  and u.agent_id = ${agents.id} and u.status in ('claimed', 'running'))`;
/** How many runs an agent may have under way. */
export const mostUnderWay = sql<number>`coalesce((${agents.runtimeConfig}->>'maxConcurrentRuns')::int, 1)`;

const shown = sql<ShownWake[]>`coalesce((
  select json_agg(json_build_object('id', w.id, 'source', w.source, 'reason', w.reason, 'payload', w.payload,
    'causeSeq', (select a.seq from ${activity} a where a.company_id = w.company_id and a.id = w.cause_id),
    'createdAt', w.created_at) order by w.id)
  from (select * from ${wakes} where ${wakes.companyId} = ${runs.companyId} and ${wakes.runId} = ${runs.id}
    order by ${wakes.id} desc limit ${sql.raw(String(shownWakes))}) w), '[]'::json)`;

/** True while no run starts in the whole deployment. */
export const isServiceStopped = sql<boolean>`exists (select from ${instance} i where i.stopped_at is not null)`;

/** True for a retry that waits for its time. */
export const isBackingOff = sql<boolean>`coalesce(${runs.notBefore} > now(), false)`;

/** True where a run of the same agent is under way for the issue of a queued one. */
export const isIssueHeld = sql<boolean>`(${runs.status} = 'queued' and exists (select from ${runs} h
  where h.company_id = ${runs.companyId} and h.agent_id = ${runs.agentId} and h.issue_id = ${runs.issueId}
    and h.status in ('claimed', 'running')))`;

/** Its output was removed. */
const isForgotten = sql<boolean>`(${runs.finishedAt} is not null and exists (select from ${outputRetention} o
  where o.company_id = ${runs.companyId} and (o.finished_at, o.run_id) >= (${runs.finishedAt}, ${runs.id})))`;

const selectRuns = (db: Reader) =>
  db
    .select({
      run: getTableColumns(runs),
      agentName: agents.name,
      agentStatus: agents.status,
      companyStatus: companies.status,
      pauseReason: agents.pauseReason,
      account: sql<Account | null>`case when ${runs.status} = 'queued' then ${accountOf(null)} end`,
      isExhausted: runs.exhausted,
      isBackingOff,
      isServiceStopped,
      underWay: sql<number>`case when ${runs.status} = 'queued' then ${underWay} else 0 end`,
      mostUnderWay,
      isIssueHeld,
      isForgotten,
      revision: { id: agentRevisions.id, number: agentRevisions.number, contentHash: agentRevisions.contentHash },
      lease: getTableColumns(leases),
      wakes: shown,
    })
    .from(runs)
    .innerJoin(agents, and(eq(agents.companyId, runs.companyId), eq(agents.id, runs.agentId)))
    .innerJoin(companies, eq(companies.id, runs.companyId))
    .leftJoin(agentRevisions, and(eq(agentRevisions.companyId, runs.companyId), eq(agentRevisions.id, runs.revisionId)))
    .leftJoin(leases, and(eq(leases.companyId, runs.companyId), eq(leases.runId, runs.id)));

const oneRun = prepared("run", (db) =>
  selectRuns(db).where(and(eq(runs.companyId, sql.placeholder("companyId")), eq(runs.id, sql.placeholder("id")))),
);

/** A run with what its answer shows. */
export type RunRow = Awaited<ReturnType<typeof getRun>>;

/** The run of the scope's company; throws Missing. */
export async function getRun(scope: Scope, id: string) {
  const [row] = await oneRun(scope.db, { companyId: scope.companyId, id });
  if (row === undefined) throw new Missing("run", id);
  return row;
}

/** Which runs. `before` is the id of the last run of the page before. */
export interface RunPage {
  readonly limit: number;
  readonly before: string | null;
  readonly agentId?: string | undefined;
  readonly issueId?: string | undefined;
  readonly status?: RunValues["status"] | undefined;
}

/** Runs newest first. */
export function listRuns(scope: Scope, page: RunPage): Promise<RunRow[]> {
  return selectRuns(scope.db)
    .where(
      and(
        eq(runs.companyId, scope.companyId),
        page.before === null ? undefined : lt(runs.id, page.before),
        page.agentId === undefined ? undefined : eq(runs.agentId, page.agentId),
        page.issueId === undefined ? undefined : eq(runs.issueId, page.issueId),
        page.status === undefined ? undefined : eq(runs.status, page.status),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(page.limit);
}

/** A run that was locked to be moved, with its agent, which is locked too. */
export interface LockedRun {
  readonly run: RunValues;
  readonly agent: Pick<
    typeof agents.$inferSelect,
    "id" | "name" | "status" | "pauseReason" | "failureCode" | "failureCount"
  >;
  /** Other runs of the agent under way. */
  readonly others: number;
  /** A run of the agent is queued, which may start once this one has ended. */
  readonly hasWaiting: boolean;
  /** What it is about was given up before. */
  readonly gaveUp: boolean;
}

/** The columns of the selected run are spelled out, here and below: they must not become those of `u`. */
const othersUnderWay = (id: string) => sql<number>`(select count(*)::int from runs u
  where u.company_id = runs.company_id and u.agent_id = runs.agent_id and u.id <> ${id}
  and u.status in ('claimed', 'running'))`;

const anotherQueued = (id: string) => sql<boolean>`exists (select from runs q where q.company_id = runs.company_id
  and q.agent_id = runs.agent_id and q.id <> ${id} and q.status = 'queued')`;

const gaveUp = sql<boolean>`exists (select from ${attention} c where c.company_id = runs.company_id
  and c.entity_id = coalesce(runs.approval_id, runs.issue_id, runs.agent_id) and c.kind = 'given_up'
  and c.resolved_at is null)`;

/** The run and its agent, locked until the change ends; the agent before the run, as everywhere. */
export async function lockRun(change: Change, id: string): Promise<LockedRun> {
  const { companyId } = change;
  const [agent] = await change.db
    .select({
      id: agents.id,
      name: agents.name,
      status: agents.status,
      pauseReason: agents.pauseReason,
      failureCode: agents.failureCode,
      failureCount: agents.failureCount,
    })
    .from(agents)
    .where(
      and(
        eq(agents.companyId, companyId),
        inArray(
          agents.id,
          change.db
            .select({ agentId: runs.agentId })
            .from(runs)
            .where(and(eq(runs.companyId, companyId), eq(runs.id, id))),
        ),
      ),
    )
    .for("no key update");
  if (agent === undefined) throw new Missing("run", id);
  // Counted after the agent is locked: two runs that end at once would each take the other for one under way.
  const [found] = await change.db
    .select({ run: getTableColumns(runs), others: othersUnderWay(id), hasWaiting: anotherQueued(id), gaveUp })
    .from(runs)
    .where(and(eq(runs.companyId, companyId), eq(runs.id, id)))
    .for("no key update");
  if (found === undefined) throw new Missing("run", id);
  return { ...found, agent };
}

/** Writes a locked run; the `where` says once more from which state. */
export async function updateRun(change: Change, run: RunValues, values: Partial<RunValues>): Promise<RunValues> {
  const [updated] = await change.write
    .update(runs)
    .set(values)
    .where(and(eq(runs.companyId, change.companyId), eq(runs.id, run.id), eq(runs.status, run.status)))
    .returning();
  if (updated === undefined) throw new Error("a locked run moved under its lock");
  return updated;
}

/** Whether a run of the agent is under way. */
export async function isAtWork({ db, companyId }: Scope, agentId: string): Promise<boolean> {
  const isUnderWay = inArray(runs.status, ["claimed", "running"]);
  const [row] = await db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.companyId, companyId), eq(runs.agentId, agentId), isUnderWay))
    .limit(1);
  return row !== undefined;
}

/** Where an agent stands; throws Missing. */
export async function getStanding(scope: Scope, agentId: string) {
  const [row] = await scope.db
    .select({
      agentName: agents.name,
      agentStatus: agents.status,
      pauseReason: agents.pauseReason,
      companyStatus: companies.status,
      isServiceStopped,
      runtimeConfig: agents.runtimeConfig,
      labels: sql<string[]>`coalesce(${agents.adapterConfig} #> '{runner,labels}', '[]'::jsonb)`,
      account: accountOf(null),
      underWay,
      mostUnderWay,
    })
    .from(agents)
    .innerJoin(companies, eq(companies.id, agents.companyId))
    .where(and(eq(agents.companyId, scope.companyId), eq(agents.id, agentId)));
  if (row === undefined) throw new Missing("agent", agentId);
  return { ...row, lacks: lacksOf(row.account) };
}

/** A run that was marked as to be ended. */
export type MarkedRun = Pick<RunValues, "id" | "agentId" | "runnerId"> & { readonly agentName: string };

/** Marks runs under way as to be ended; answers those that were not marked before. */
export function markEnding(
  change: Change,
  which: { readonly agentId?: string; readonly runId?: string },
  ending: NonNullable<RunValues["ending"]>,
): Promise<MarkedRun[]> {
  return change.write
    .update(runs)
    .set({ ending })
    .where(
      and(
        eq(runs.companyId, change.companyId),
        inArray(runs.status, ["claimed", "running"]),
        isNull(runs.ending),
        which.agentId === undefined ? undefined : eq(runs.agentId, which.agentId),
        which.runId === undefined ? undefined : eq(runs.id, which.runId),
      ),
    )
    .returning({
      id: runs.id,
      agentId: runs.agentId,
      agentName: sql<string>`(select a.name from agents a where a.company_id = runs.company_id and a.id = runs.agent_id)`,
      runnerId: runs.runnerId,
    });
}

/** A run that is not over. */
export type OpenRun = Pick<RunValues, "id" | "status" | "ending" | "claimedAt"> &
  Pick<Standing, "isBackingOff" | "isExhausted">;

/** Runs of the company, or of one agent, that are not over. */
export function listOpenRuns(scope: Scope, agentId?: string): Promise<OpenRun[]> {
  return scope.db
    .select({
      id: runs.id,
      status: runs.status,
      ending: runs.ending,
      claimedAt: runs.claimedAt,
      isExhausted: runs.exhausted,
      isBackingOff,
    })
    .from(runs)
    .where(
      and(
        eq(runs.companyId, scope.companyId),
        inArray(runs.status, ["queued", "claimed", "running"]),
        agentId === undefined ? undefined : eq(runs.agentId, agentId),
      ),
    )
    .orderBy(runs.id);
}

/** What was said of the last run of an agent that is over; null where none is. */
export async function findLastMessage(scope: Scope, agentId: string): Promise<string | null> {
  const [row] = await scope.db
    .select({ message: runs.outcomeMessage })
    .from(runs)
    .where(and(eq(runs.companyId, scope.companyId), eq(runs.agentId, agentId), isNotNull(runs.finishedAt)))
    .orderBy(desc(runs.id))
    .limit(1);
  return row?.message ?? null;
}
