import { and, eq, isNull, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Reader } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";
import { attention } from "../attention/index.ts";
import { presentMonth, spend } from "../budgets/index.ts";
import { companies } from "../companies/index.ts";

/** Who has a budget: an agent, or (null) the company itself. */
export interface HolderKey {
  readonly companyId: string;
  readonly agentId: string | null;
}

const works = sql`a.status not in ('terminated', 'pending_approval')`;

/**
 * Holders of whom something is to be said or done: near their limit and not warned, at it and the board not asked; paused
 * by it, asked about or called out, though they are below it. Each is judged again under its lock.
 */
export async function listDue(db: Reader, limit: number): Promise<HolderKey[]> {
  const rows = await db.execute<{ companyId: string; agentId: string | null }>(sql`
    with near as (
      select s.company_id, a.id as agent_id, s.spent_micros, s.warned_at, s.asked_cents,
        case when s.holder_id = s.company_id then c.budget_monthly_cents else a.budget_monthly_cents end as cents
      from ${spend} s
      join ${companies} c on c.id = s.company_id and c.status <> 'archived'
      left join ${agents} a on a.company_id = s.company_id and a.id = s.holder_id
      where s.month = ${presentMonth} and (s.holder_id = s.company_id or ${works})
    ), questions as (
      select p.company_id, p.agent_id, case
        when p.agent_id is null then c.budget_monthly_cents when ${works} then a.budget_monthly_cents else 0 end as cents
      from approvals p
      join ${companies} c on c.id = p.company_id and c.status <> 'archived'
      left join ${agents} a on a.company_id = p.company_id and a.id = p.agent_id
      where p.type = 'budget_override' and p.status in ('pending', 'revision_requested')
        and p.requested_by_agent_id is null and p.requested_by_user_id is null
    ), paused as (
      select a.company_id, a.id as agent_id, a.budget_monthly_cents as cents
      from ${agents} a join ${companies} c on c.id = a.company_id and c.status <> 'archived'
      where a.pause_reason = 'budget'
    ), calls as (
      select t.company_id, a.id as agent_id,
        case when t.entity_id = t.company_id then c.budget_monthly_cents when ${works} then a.budget_monthly_cents else 0 end as cents
      from ${attention} t
      join ${companies} c on c.id = t.company_id and c.status <> 'archived'
      left join ${agents} a on a.company_id = t.company_id and a.id = t.entity_id
      where t.kind = 'budget' and t.resolved_at is null
    ), held_up as (
      select company_id, agent_id, cents from questions union all select company_id, agent_id, cents from paused
      union all select company_id, agent_id, cents from calls
    )
    select company_id as "companyId", agent_id as "agentId" from near
    where cents > 0 and ((warned_at is null and spent_micros >= cents * 8000)
      or (spent_micros >= cents * 10000 and asked_cents is distinct from cents))
    union
    select h.company_id, h.agent_id from held_up h
    left join ${spend} s on s.company_id = h.company_id and s.holder_id = coalesce(h.agent_id, h.company_id)
      and s.month = ${presentMonth}
    where h.cents = 0 or coalesce(s.spent_micros, 0) < h.cents * 10000
    limit ${limit}`);
  return rows.map(({ companyId, agentId }) => ({ companyId, agentId }));
}

/** True where there is an open call for attention about the budget of a holder; it is locked until the change ends. */
export async function lockCall(change: Change, holderId: string): Promise<boolean> {
  const rows = await change.db
    .select({ id: attention.id })
    .from(attention)
    .where(
      and(
        eq(attention.companyId, change.companyId),
        eq(attention.entityId, holderId),
        eq(attention.kind, "budget"),
        isNull(attention.resolvedAt),
      ),
    )
    .for("update");
  return rows.length > 0;
}
