import { and, desc, eq, getTableColumns, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Reader } from "../../platform/database/index.ts";
import { instance } from "../../platform/instance.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { companies } from "../companies/index.ts";
import { runnerSightings, runners } from "../runners/index.ts";
import { leases, runs } from "../runs/index.ts";

const { prefix: _, hash: __, ...shown } = getTableColumns(runners);

const selectRunners = (db: Reader) =>
  db
    .select({
      ...shown,
      labels: runnerSightings.labels,
      lastSeenAt: runnerSightings.seenAt,
      runsUnderWay: sql<number>`(select count(*)::int from ${leases} where ${leases.runnerId} = ${runners.id})`,
    })
    .from(runners)
    .leftJoin(runnerSightings, eq(runnerSightings.runnerId, runners.id));

/** A runner with what it was last seen with. */
export type RunnerRow = Awaited<ReturnType<typeof getRunner>>;

const isHere = (id: string): SQL | undefined => and(eq(runners.id, id), ne(runners.status, "removed"));

/** The runner; throws Missing. */
export async function getRunner({ db }: Pick<Scope, "db">, id: string) {
  const [row] = await selectRunners(db).where(isHere(id));
  if (row === undefined) throw new Missing("runner", id);
  return row;
}

/** The same, locked until the change ends. */
export async function lockRunner(change: Change, id: string): Promise<RunnerRow> {
  const [locked] = await change.db.select({ id: runners.id }).from(runners).where(isHere(id)).for("update");
  if (locked === undefined) throw new Missing("runner", id);
  return getRunner(change, id);
}

/** Runners newest first; `before` is the id of the last one of the page before. */
export function listRunners(scope: Scope, page: { limit: number; before: string | null }): Promise<RunnerRow[]> {
  return selectRunners(scope.db)
    .where(and(ne(runners.status, "removed"), page.before === null ? undefined : lt(runners.id, page.before)))
    .orderBy(desc(runners.id))
    .limit(page.limit);
}

/** Moves a locked runner to another state; the `where` says once more from which. */
export async function updateRunner(change: Change, row: RunnerRow, status: RunnerRow["status"]): Promise<void> {
  await change.write
    .update(runners)
    .set({ status })
    .where(and(eq(runners.id, row.id), eq(runners.status, row.status)));
}

/** Which of these companies there are. */
export async function listKnownCompanies({ db }: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: companies.id })
    .from(companies)
    .where(inArray(companies.id, [...ids]));
  return rows.map(({ id }) => id);
}

/** Since when no run starts, null while they do, and how many are under way in all companies. */
export async function getInstance({ db }: Pick<Scope, "db">) {
  const [row] = await db
    .select({
      stoppedAt: instance.stoppedAt,
      runsUnderWay: sql<number>`(select count(*)::int from ${leases})`,
    })
    .from(instance);
  if (row === undefined) throw new Error("the deployment has no row");
  return row;
}

/** Notes that no run starts from now on, by the database's clock, or that they do again; false where it is so already. */
export async function markStopped(change: Change, isStopped: boolean): Promise<boolean> {
  const isOther = isStopped ? sql`stopped_at is null` : sql`stopped_at is not null`;
  const stoppedAt = isStopped ? sql`clock_timestamp()` : null;
  const rows = await change.upkeep.update(instance).set({ stoppedAt }).where(isOther).returning({ id: instance.id });
  return rows.length > 0;
}

/** A run that is to end. */
interface Stopping {
  readonly companyId: string;
  readonly runId: string;
}

/** Runs under way that nobody has asked to end, though their runner or the whole deployment was stopped. */
export function listStopping(db: Reader, most: number): Promise<Stopping[]> {
  return db
    .select({ companyId: leases.companyId, runId: leases.runId })
    .from(leases)
    .innerJoin(runs, and(eq(runs.companyId, leases.companyId), eq(runs.id, leases.runId)))
    .innerJoin(runners, eq(runners.id, leases.runnerId))
    .where(
      and(
        sql`${runs.ending} is null`,
        sql`(${runners.status} = 'stopped' or exists (select from ${instance} i where i.stopped_at <= clock_timestamp()))`,
      ),
    )
    .orderBy(leases.companyId, leases.runId)
    .limit(most);
}
