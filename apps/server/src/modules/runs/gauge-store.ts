import { and, eq, sql } from "drizzle-orm";
import type { Reader } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { accountOf } from "./budget-store.ts";
import { isBackingOff, isIssueHeld, isServiceStopped, mostUnderWay, underWay } from "./store.ts";
import { leases, runs, wakes } from "./table.ts";

/** How many runs, wakes and leases there are in all companies that are not over. */
export interface OpenCounts extends Record<string, unknown> {
  readonly queued: number;
  readonly claimed: number;
  readonly running: number;
  /** Of the run that has been queued the longest; 0 where none is. */
  readonly oldestQueuedSec: number;
  /** Wakes of queued runs. */
  readonly wakes: number;
  readonly leases: number;
}

/** Of each kind so many are counted, so that a backlog of any size costs no more. */
const most = sql.raw("10000");

/** Counts what is open; what is over does not matter to its cost. */
export async function countOpen(db: Reader): Promise<OpenCounts> {
  const [row] = await db.execute<OpenCounts>(sql`
    with queue as (select company_id, id, created_at from ${runs} where status = 'queued' limit ${most}),
      under_way as (select status from ${runs} where status in ('claimed', 'running') limit ${most})
    select (select count(*)::int from queue) as queued,
      (select count(*)::int from under_way where status = 'claimed') as claimed,
      (select count(*)::int from under_way where status = 'running') as running,
      (select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 from queue) as "oldestQueuedSec",
      (select count(*)::int from (select from queue q join ${wakes} w on w.company_id = q.company_id and w.run_id = q.id
        limit ${most}) w) as wakes,
      (select count(*)::int from (select from ${leases} limit ${most}) l) as leases`);
  if (row === undefined) throw new Error("a count has no row");
  return row;
}

/** What decides whether queued runs may start, of at most so many of them, in all companies. */
export function listStandings(db: Reader, limit: number) {
  return db
    .select({
      agentStatus: agents.status,
      pauseReason: agents.pauseReason,
      companyStatus: companies.status,
      account: accountOf(null),
      isExhausted: runs.exhausted,
      isBackingOff,
      isServiceStopped,
      underWay,
      mostUnderWay,
      isIssueHeld,
    })
    .from(runs)
    .innerJoin(agents, and(eq(agents.companyId, runs.companyId), eq(agents.id, runs.agentId)))
    .innerJoin(companies, eq(companies.id, runs.companyId))
    .where(sql`${runs.status} = 'queued'`)
    .limit(limit);
}
