import { sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Speaker } from "./lease-store.ts";

/** A run whose program was started just now. */
export interface Started extends Record<string, unknown> {
  readonly agentId: string;
  readonly agentName: string;
  readonly causeId: string;
  readonly rootId: string;
  readonly hops: number;
}

/** Moves a claimed run, and its agent, to running; undefined where it is not claimed by this speaker. */
export async function markStarted(change: Change, { runId, runnerId, epoch }: Speaker): Promise<Started | undefined> {
  const { companyId } = change;
  // The agent is locked first, as everywhere.
  const [started] = await change.write.execute<Started>(sql`
    with agent as (
      update agents a set last_heartbeat_at = clock_timestamp(),
        status = case when a.status = 'idle' then 'running' else a.status end
      from runs r
      where r.company_id = ${companyId} and r.id = ${runId} and r.status = 'claimed' and r.epoch = ${epoch}
        and r.runner_id = ${runnerId} and a.company_id = r.company_id and a.id = r.agent_id
      returning a.id, a.name
    )
    update runs set status = 'running', started_at = clock_timestamp()
    from agent
    where runs.company_id = ${companyId} and runs.id = ${runId} and runs.status = 'claimed'
      and runs.epoch = ${epoch} and runs.runner_id = ${runnerId}
    returning agent.id as "agentId", agent.name as "agentName", cause_id as "causeId", root_id as "rootId", hops`);
  return started;
}
