import { type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../platform/database/index.ts";
import { hasChecks } from "../agents/index.ts";
import { type Candidate, type Claimant, candidates } from "./claim-store.ts";
import type { HeldLease } from "./lease-store.ts";
import { leases, runs } from "./table.ts";

/** All that there is to tell a runner, as it was at one moment. */
export interface Outlook {
  /** Every run that it may speak for. */
  readonly leases: readonly HeldLease[];
  /** Agents whose queued runs it could take. */
  readonly candidates: readonly Candidate[];
  /** Checks wait; whether they are for this runner is not said. */
  readonly hasChecks: boolean;
}

const leasesOf = (runnerId: string): SQL<HeldLease[]> => sql<HeldLease[]>`(
  select coalesce(json_agg(json_build_object('companyId', l.company_id, 'runId', l.run_id, 'epoch', l.epoch,
    'ending', r.ending) order by l.run_id), '[]'::json)
  from ${leases} l join ${runs} r on r.company_id = l.company_id and r.id = l.run_id
  where l.runner_id = ${runnerId})`;

/** Looks for what a runner could be told: one statement, because every question of every runner asks for it. */
export async function lookOut(db: Reader, claimant: Claimant, most: number): Promise<Outlook> {
  const [row] = await db.execute<Outlook & Record<string, unknown>>(sql`
    select ${leasesOf(claimant.runnerId)} as leases, ${hasChecks} as "hasChecks",
      ${candidates(claimant, { most, except: [] })} as candidates`);
  return row ?? { leases: [], candidates: [], hasChecks: false };
}
