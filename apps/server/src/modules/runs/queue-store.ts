import { sql } from "drizzle-orm";
import type { Reader } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";
import { runs } from "./table.ts";

/** A run that has waited for longer than its agent's runs may. */
export interface Overdue extends Record<string, unknown> {
  readonly companyId: string;
  readonly runId: string;
  readonly limitSec: number;
}

const limitSec = sql`(${agents.runtimeConfig}->>'queueTimeoutSec')::int`;

/** Runs that have waited for too long; a run without such a limit waits for ever. */
export async function listOverdue(db: Reader, limit: number): Promise<Overdue[]> {
  const rows = await db.execute<Overdue>(sql`
    select r.company_id as "companyId", r.id as "runId", ${limitSec} as "limitSec"
    from ${runs} r join ${agents} on ${agents.companyId} = r.company_id and ${agents.id} = r.agent_id
    where r.status = 'queued' and r.created_at < clock_timestamp() - make_interval(secs => ${limitSec})
    order by r.created_at limit ${limit}`);
  return [...rows];
}
