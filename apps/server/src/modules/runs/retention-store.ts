import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, Reader } from "../../platform/database/index.ts";
import { upkeep } from "../../platform/upkeep.ts";
import { companies } from "../companies/index.ts";
import { outputRetention, runEvents, runs } from "./table.ts";

/** A run whose output is to be removed. */
export interface Outdated {
  readonly companyId: string;
  readonly runId: string;
  readonly finishedAt: string;
}

/**
 * The runs of each company that ended first among those whose output is older than the company, or else the deployment,
 * keeps it; of each company at most so many. `days` is what the deployment says, null for ever.
 */
export async function listOutdated(db: Reader, days: number | null, most: number): Promise<Outdated[]> {
  const rows = await db.execute<{ company_id: string; id: string; finished_at: string }>(sql`
    select old.* from ${companies} c
    left join ${outputRetention} o on o.company_id = c.id
    cross join lateral (
      select r.company_id, r.id, r.finished_at from ${runs} r
      where r.company_id = c.id and r.finished_at is not null
        and r.finished_at < now() - make_interval(days => coalesce(c.run_output_days, ${days}::int))
        and (o.run_id is null or (r.finished_at, r.id) > (o.finished_at, o.run_id))
      order by r.finished_at, r.id
      limit ${most}
    ) old
    order by old.company_id, old.finished_at, old.id`);
  return rows.map((row) => ({ companyId: row.company_id, runId: row.id, finishedAt: row.finished_at }));
}

/** Removes what these runs of one company told, in the order in which they ended, and notes how far that is. */
export async function removeOutput(database: Database, outdated: readonly Outdated[]): Promise<void> {
  const last = outdated.at(-1);
  if (last === undefined) return;
  const { companyId, runId } = last;
  const ids = outdated.map((each) => each.runId);
  const finishedAt = sql`${last.finishedAt}::timestamptz`;
  await upkeep(database, async (keep) => {
    await keep.delete(runEvents).where(and(eq(runEvents.companyId, companyId), inArray(runEvents.runId, ids)));
    await keep
      .insert(outputRetention)
      .values({ companyId, runId, finishedAt })
      .onConflictDoUpdate({ target: outputRetention.companyId, set: { runId, finishedAt } });
  });
}
