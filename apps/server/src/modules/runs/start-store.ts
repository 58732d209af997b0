import { sql } from "drizzle-orm";
import { type ChangeHost, changeAtOnce } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Speaker } from "./lease-store.ts";

/**
 * Moves a claimed run, and its agent, to running, and says so in the log: one statement. False where it is not claimed by
 * this speaker.
 */
export function markStarted(host: ChangeHost, scope: Scope, { runId, runnerId, epoch }: Speaker): Promise<boolean> {
  const { companyId } = scope;
  const isSpeakers = sql`r.company_id = ${companyId} and r.id = ${runId} and r.status = 'claimed'
    and r.epoch = ${epoch} and r.runner_id = ${runnerId}`;
  // The agent is locked first, as everywhere, and changed only if the run was still there to be moved.
  const steps = sql`locked as (
      select a.id from agents a join runs r on r.company_id = a.company_id and r.agent_id = a.id
      where ${isSpeakers}
      for no key update of a
    ), moved as (
      update runs r set status = 'running', started_at = clock_timestamp() from locked where ${isSpeakers}
      returning r.agent_id, r.started_at, r.cause_id, r.root_id, r.hops
    ), done as (
      update agents a set last_heartbeat_at = moved.started_at,
        status = case when a.status = 'idle' then 'running' else a.status end
      from moved where a.company_id = ${companyId} and a.id = moved.agent_id
      returning moved.cause_id, moved.root_id, moved.hops,
        jsonb_build_object('agentId', a.id, 'agentName', a.name) as details
    )`;
  return changeAtOnce(host, scope, { action: "run.started", entityId: runId, steps, announce: [runId] });
}
