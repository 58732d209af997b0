import { and, eq, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Reader } from "../../platform/database/index.ts";
import { agents, nextTick, timers } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { issues } from "../issues/index.ts";
import { runs, wakes } from "../runs/index.ts";

/** Companies that have a timer which is due, the longest due first; looks at no more than `most` timers. */
export async function listDueCompanies(db: Reader, most: number): Promise<string[]> {
  const rows = await db.execute<{ company_id: string }>(sql`
    select company_id from (
      select company_id, next_at from ${timers} where next_at <= clock_timestamp() order by next_at limit ${most}
    ) due group by company_id order by min(next_at)`);
  return rows.map((row) => row.company_id);
}

/**
 * Winds up to `most` due timers of a company up again, however often each was missed, and answers whose they were. A
 * timer that another server has in hand is left to it.
 */
export async function windTimers(change: Change, most: number): Promise<string[]> {
  const { companyId } = change;
  const due = sql`array(select agent_id from timers where company_id = ${companyId} and next_at <= clock_timestamp()
    order by next_at limit ${most} for update skip locked)`;
  const rows = await change.upkeep
    .update(timers)
    .set({ nextAt: nextTick(sql`${timers.agentId}`, sql`${timers.intervalSec}`) })
    .where(and(eq(timers.companyId, companyId), sql`${timers.agentId} = any(${due})`))
    .returning({ agentId: timers.agentId });
  return rows.map(({ agentId }) => agentId);
}

/** An agent that its timer wakes. */
export interface Sleeper extends Record<string, unknown> {
  readonly agentId: string;
  readonly intervalSec: number;
}

const isAwaited = sql`exists (select from ${issues} i where i.company_id = agents.company_id
  and i.assignee_agent_id = agents.id and i.status in ('todo', 'in_progress', 'in_review', 'blocked'))`;
const isRung = sql`exists (select from ${runs} q join ${wakes} w on w.company_id = q.company_id and w.run_id = q.id
  where q.company_id = agents.company_id and q.agent_id = agents.id and q.status = 'queued' and w.source = 'timer')`;

/**
 * Which of these agents are to be woken: those that are not stopped, nor their company; those that are to sleep while
 * nothing is to do, if something is; and none that its timer has woken and that waits to run.
 */
export async function listSleepers(change: Change, agentIds: readonly string[]): Promise<Sleeper[]> {
  if (agentIds.length === 0) return [];
  const rows = await change.db.execute<Sleeper>(sql`
    select agents.id as "agentId", (agents.runtime_config #>> '{heartbeat,intervalSec}')::int as "intervalSec"
    from ${agents} join ${companies} on ${companies.id} = ${agents.companyId}
    where ${agents.companyId} = ${change.companyId}
      and ${agents.id} in (select (jsonb_array_elements_text(${JSON.stringify(agentIds)}::jsonb))::uuid)
      and ${companies.status} = 'active' and ${agents.status} in ('idle', 'running', 'error')
      and (not coalesce((agents.runtime_config #> '{heartbeat,skipWhenIdle}')::boolean, false) or ${isAwaited})
      and not ${isRung}
    order by agents.id`);
  return [...rows];
}
