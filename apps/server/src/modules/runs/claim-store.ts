import { type JsonObject, leaseSec } from "@roster/contract";
import { type SQL, sql } from "drizzle-orm";
import { activity } from "../../platform/activity/index.ts";
import type { Change } from "../../platform/change.ts";
import type { Reader } from "../../platform/database/index.ts";
import { instance } from "../../platform/instance.ts";
import { agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { runners } from "../runners/index.ts";
import type { Standing } from "./admission.ts";
import { hasNothingLeft } from "./budget-store.ts";
import type { FirstHold, Limits } from "./reserve.ts";
import { resumable } from "./session-store.ts";
import { mostUnderWay, underWay } from "./store.ts";

/** Who claims. */
export interface Claimant {
  readonly runnerId: string;
  readonly name: string;
  readonly companyIds: readonly string[] | null;
  readonly labels: readonly string[];
}

/** An agent that has a queued run which seems to be admissible. */
export interface Candidate {
  readonly companyId: string;
  readonly agentId: string;
}

/** After so many hours a queued run counts as one step more urgent, so that nothing starves. */
const agingHours = 1;
const urgency = sql.raw(
  `r.priority - floor(extract(epoch from clock_timestamp() - r.created_at) / ${agingHours * 3600})`,
);

/** How many candidates are asked for, and who is left out. */
export interface Which {
  readonly most: number;
  readonly except: readonly string[];
}

/**
 * Agents whose queued runs this claimant could take: of each company in turn the most urgent and oldest, and the company
 * first that was served longest ago, so that none waits for another's backlog. Nothing is locked: each is looked at
 * again under its lock. Nobody gets any while the deployment is stopped, nor does a runner that is not active.
 */
export async function listCandidates(db: Reader, claimant: Claimant, which: Which): Promise<Candidate[]> {
  const [row] = await db.execute<{ candidates: Candidate[] }>(sql`select ${candidates(claimant, which)} as candidates`);
  return row?.candidates ?? [];
}

/** The same, as a part of a statement. */
export function candidates(claimant: Claimant, { most, except }: Which): SQL<Candidate[]> {
  const companyIds = claimant.companyIds === null ? null : JSON.stringify(claimant.companyIds);
  return sql<Candidate[]>`(
    with admissible as (
      select r.*, row_number() over (partition by r.company_id order by r.urgency, r.created_at, r.id) as turn
      from (select distinct company_id, agent_id from runs where status = 'queued') q
      join ${agents} on ${agents.companyId} = q.company_id and ${agents.id} = q.agent_id
      join ${companies} on ${companies.id} = q.company_id
      cross join lateral (
        select r.company_id, r.agent_id, r.id, r.created_at, ${urgency} as urgency from runs r
        where r.company_id = ${agents.companyId} and r.agent_id = ${agents.id} and r.status = 'queued'
          and not r.exhausted and (r.not_before is null or r.not_before <= clock_timestamp())
          and ${isIssueFree}
        order by urgency, r.created_at, r.id
        limit greatest(${mostUnderWay} - ${underWay}, 0)
      ) r
      where ${companies.status} = 'active' and ${agents.status} in ('idle', 'running', 'error')
        and not ${hasNothingLeft}
        and not ${JSON.stringify(except)}::jsonb ? q.agent_id::text
        and coalesce(${agents.adapterConfig} #> '{runner,labels}', '[]'::jsonb)
          <@ ${JSON.stringify(claimant.labels)}::jsonb
        and (${companyIds}::jsonb is null or ${companyIds}::jsonb ? q.company_id::text)
        and exists (select from ${runners} x where x.id = ${claimant.runnerId} and x.status = 'active')
        and not exists (select from ${instance} i where i.stopped_at <= clock_timestamp())
    ), served as (
      select company_id, (select e.created_at from ${activity} e where e.company_id = c.company_id
        and e.action = 'run.claimed' order by e.seq desc limit 1) as at
      from (select distinct company_id from admissible) c
    )
    select coalesce(json_agg(json_build_object('companyId', company_id, 'agentId', agent_id)
      order by turn, at nulls first, urgency, created_at), '[]'::json)
    from (select * from admissible join served using (company_id)
      order by turn, at nulls first, urgency, created_at limit ${most}) first)`;
}

/** True where no run of the same agent is under way for the same issue: two would do the same work. */
const isIssueFree = sql.raw(`(r.issue_id is null or not exists (
  select from runs h where h.company_id = r.company_id and h.agent_id = r.agent_id and h.issue_id = r.issue_id
    and h.status in ('claimed', 'running')))`);

/** An agent that was locked for a claim. */
export interface LockedAgent extends Limits {
  readonly agentName: string;
  readonly standing: Pick<Standing, "agentStatus" | "companyStatus" | "mostUnderWay">;
  /** Its environment as stored, with references to secrets. */
  readonly env: JsonObject;
}

/**
 * The agent, locked until the change ends, and its company, which cannot be paused before; null when they are gone or in
 * other hands just now. Neither is waited for: who archives a company locks it before its agents.
 */
export async function lockForClaim(change: Change, agentId: string): Promise<LockedAgent | null> {
  const rows = await change.db.execute<Record<string, unknown>>(sql`
    select ${agents.name} as "agentName", ${agents.status} as "agentStatus", ${companies.status} as "companyStatus",
      ${agents.budgetMonthlyCents} > 0 as "isAgentLimited", ${companies.budgetMonthlyCents} > 0 as "isCompanyLimited",
      (${agents.runtimeConfig}->>'maxRunCostCents')::float8 * 10000 as "capMicros",
      ${mostUnderWay} as "mostUnderWay", coalesce(${agents.adapterConfig}->'env', '{}'::jsonb) as env
    from ${agents} join ${companies} on ${companies.id} = ${agents.companyId}
    where ${agents.companyId} = ${change.companyId} and ${agents.id} = ${agentId}
    for no key update of agents skip locked for share of companies skip locked`);
  const [row] = rows as unknown as (LockedAgent["standing"] & Omit<LockedAgent, "standing">)[];
  if (row === undefined) return null;
  const { agentStatus, companyStatus, mostUnderWay: most, ...others } = row;
  return { ...others, standing: { agentStatus, companyStatus, mostUnderWay: most } };
}

/** A run that was claimed just now. */
export interface Claimed {
  readonly id: string;
  readonly epoch: number;
  readonly attempt: number;
  readonly approvalId: string | null;
  readonly causeId: string;
  readonly rootId: string;
  readonly hops: number;
}

/**
 * Takes the most urgent queued run of a locked agent, with what it holds, unless as many are under way as may be: counted
 * in this statement, which begins after the lock was got. Null when there is none.
 */
export async function takeRun(
  change: Change,
  agentId: string,
  { runnerId }: Claimant,
  { most, hold }: { most: number; hold: FirstHold },
): Promise<Claimed | null> {
  const { companyId } = change;
  const rows = await change.write.execute<Record<string, unknown>>(sql`
    with picked as (
      select r.id from runs r
      where r.company_id = ${companyId} and r.agent_id = ${agentId} and r.status = 'queued'
        and not r.exhausted and (r.not_before is null or r.not_before <= clock_timestamp())
        and ${isIssueFree}
        and (select count(*) from runs u where u.company_id = ${companyId} and u.agent_id = ${agentId}
          and u.status in ('claimed', 'running')) < ${most}
      order by ${urgency}, r.created_at, r.id
      limit 1
      for no key update
    ), claimed as (
      update runs set status = 'claimed', epoch = runs.epoch + 1, runner_id = ${runnerId}, ending = null,
        claimed_at = clock_timestamp(), revision_id = (
          select v.id from agent_revisions v join agents a on a.company_id = v.company_id and a.id = v.agent_id
          where v.company_id = ${companyId} and v.agent_id = ${agentId} and v.number = a.revision_number)
      from picked where runs.company_id = ${companyId} and runs.id = picked.id and runs.status = 'queued'
      returning runs.*
    ), lease as (
      insert into leases (company_id, run_id, agent_id, runner_id, epoch, lease_until, held_micros, cap_micros, resumed)
      select company_id, id, agent_id, runner_id, epoch, clock_timestamp() + make_interval(secs => ${leaseSec}),
        ${hold.heldMicros}::bigint, ${hold.capMicros}::bigint, ${resumable} from claimed
    )
    select id, epoch, attempt, approval_id as "approvalId", cause_id as "causeId", root_id as "rootId", hops
    from claimed`);
  return (rows[0] as unknown as Claimed | undefined) ?? null;
}
