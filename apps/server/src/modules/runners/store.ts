import { and, eq, getTableColumns, gt, ne, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { type Database, prepared } from "../../platform/database/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { upkeep } from "../../platform/upkeep.ts";
import { runnerSightings, runners } from "./table.ts";

/** A runner as stored. */
export type RunnerRow = typeof runners.$inferSelect;

/** How often a runner that asks again and again is noted, in seconds. */
const notedEverySec = 5;

/** The company of the run `runId`, as a part of a statement. */
export type CompanyOfRun = SQL<string | null>;

/** Of a runner that asks about no run. */
export const ofNoRun: CompanyOfRun = sql<null>`null::uuid`;

/** The runner whose token has this public prefix, or none: one statement by unique indexes. */
export const runnerFinder = (companyOfRun: CompanyOfRun) =>
  prepared("runner-by-prefix", (db) =>
    db
      .select({
        ...getTableColumns(runners),
        runCompanyId: companyOfRun,
        /** The labels with which it was seen just now; null where it is to be noted again. */
        seenWith: sql<string[] | null>`case
          when ${runnerSightings.seenAt} > clock_timestamp() - make_interval(secs => ${sql.raw(String(notedEverySec))})
          then ${runnerSightings.labels} end`,
      })
      .from(runners)
      .leftJoin(runnerSightings, eq(runnerSightings.runnerId, runners.id))
      .where(and(eq(runners.prefix, sql.placeholder("prefix")), ne(runners.status, "removed"))),
  );

/** Adds a runner. */
export async function insertRunner(change: Change, row: RunnerRow): Promise<void> {
  await change.write.insert(runners).values(row);
}

/** Notes that a runner asked for work that carries only these labels. */
export async function noteSighting(database: Database, runnerId: string, labels: readonly string[]): Promise<void> {
  const now = sql`clock_timestamp()`;
  await upkeep(database, async (keep) => {
    await keep
      .insert(runnerSightings)
      .values({ runnerId, labels, seenAt: now })
      .onConflictDoUpdate({
        target: runnerSightings.runnerId,
        set: { labels, seenAt: now },
      });
  });
}

/** A runner that was not heard of for so long is away. */
export const awaySec = 60;

/** True where an active runner asks for work that works for this company and carries all these labels. */
export async function isRunnerThere({ db, companyId }: Scope, labels: readonly string[]): Promise<boolean> {
  const rows = await db
    .select({ runnerId: runnerSightings.runnerId })
    .from(runnerSightings)
    .innerJoin(runners, eq(runners.id, runnerSightings.runnerId))
    .where(
      and(
        gt(runnerSightings.seenAt, sql`clock_timestamp() - make_interval(secs => ${awaySec})`),
        eq(runners.status, "active"),
        sql`${runnerSightings.labels} @> ${JSON.stringify(labels)}::jsonb`,
        sql`(${runners.companyIds} is null or ${runners.companyIds} ? ${companyId})`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}
