import { sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Led } from "./bound-run.ts";
import type { RunValues } from "./store.ts";

/**
 * Queues a new run in the place of one that ended, and answers it: the run that waits for the same agent, issue and
 * approval already, where there is one, which then waits as long as this one would.
 */
export async function insertRetry(
  change: Change,
  run: RunValues,
  { id, agentName, attempt, afterSec }: { id: string; agentName: string; attempt: number; afterSec: number },
): Promise<Led> {
  const [row] = await change.write.execute<Omit<Led, "agentName"> & Record<string, unknown>>(sql`
    insert into runs (company_id, id, agent_id, issue_id, approval_id, status, priority, not_before, attempt, retry_of,
      cause_id, root_id, hops, created_at)
    values (${change.companyId}, ${id}, ${run.agentId}, ${run.issueId}, ${run.approvalId}, 'queued', ${run.priority},
      case when ${afterSec}::float8 > 0 then clock_timestamp() + make_interval(secs => ${afterSec}::float8) end, ${attempt}, ${run.id},
      ${run.causeId}, ${run.rootId}, ${run.hops}, ${change.now.toISOString()})
    on conflict (company_id, agent_id, issue_id, approval_id) where status = 'queued'
    do update set retry_of = coalesce(runs.retry_of, excluded.retry_of), attempt = greatest(runs.attempt, excluded.attempt),
      not_before = greatest(runs.not_before, excluded.not_before)
    returning id as "runId", (xmax = 0) as made, exhausted, root_id as "rootId"`);
  if (row === undefined) throw new Error("a retry was neither made nor joined");
  return { ...row, agentName };
}
