import { and, type Column, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Reader } from "../../platform/database/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { agents } from "../agents/index.ts";
import { type Account, presentMonth, runsLookedAt, spend } from "../budgets/index.ts";
import { companies } from "../companies/index.ts";
import { leases, runs } from "./table.ts";

const spentBy = (holderId: Column): SQL => sql`coalesce((select s.spent_micros from ${spend} s
  where s.company_id = ${agents.companyId} and s.holder_id = ${holderId} and s.month = ${presentMonth}), 0)`;
/** What runs under way hold; that of one run is left out, if it is named. */
const heldFor = (whose: SQL, except: string | null): SQL => sql`(
  select coalesce(sum(greatest(l.held_micros - l.drawn_micros, 0)), 0) from ${leases} l
  where l.company_id = ${agents.companyId} and ${whose} and l.run_id is distinct from ${except}::uuid)`;
const ofAgent = sql`l.agent_id = ${agents.id}`;
const ofAll = sql`true`;

const isFull = (holderId: Column, limitCents: Column, held: SQL): SQL =>
  sql`(${limitCents} > 0 and ${spentBy(holderId)} + ${held} >= ${limitCents} * 10000)`;
/** True where agent or company has spent or promised all it may: no run can start, whatever it would hold. */
export const hasNothingLeft: SQL = sql`(${isFull(agents.id, agents.budgetMonthlyCents, heldFor(ofAgent, null))}
  or ${isFull(agents.companyId, companies.budgetMonthlyCents, heldFor(ofAll, null))})`;

/** The most urgent first, whatever decides: a run that is neither waiting for its time nor held back by its cause. */
const mayStart = sql`not r.exhausted and (r.not_before is null or r.not_before <= clock_timestamp())`;

const fundsOf = (holderId: Column, limitCents: Column, held: SQL): SQL => sql`jsonb_build_object(
  'limitMicros', ${limitCents} * 10000, 'spentMicros', ${spentBy(holderId)}, 'heldMicros', ${held})`;

/**
 * What decides whether there is room for a run of an agent, for selects from agents and companies; null where neither
 * has a limit. What the run `except` holds is left out.
 */
export const accountOf = (except: string | null): SQL<Account | null> => sql<Account | null>`case
  when ${agents.budgetMonthlyCents} > 0 or ${companies.budgetMonthlyCents} > 0 then jsonb_build_object(
    'agent', ${fundsOf(agents.id, agents.budgetMonthlyCents, heldFor(ofAgent, except))},
    'company', ${fundsOf(agents.companyId, companies.budgetMonthlyCents, heldFor(ofAll, except))},
    'maxRunMicros', (${agents.runtimeConfig}->>'maxRunCostCents')::bigint * 10000
  ) || (select jsonb_build_object('pricedRuns', count(*), 'dearestMicros', coalesce(max(p.cost_micros), 0)) from (
    select p.cost_micros from ${runs} p where p.company_id = ${agents.companyId} and p.agent_id = ${agents.id}
      and p.cost_micros > 0 order by p.id desc limit ${runsLookedAt}) p) end`;

/** The same for one agent; read in a change that holds the rows of what was spent, it stays so until that ends. */
export async function findAccount(change: Change, agentId: string, except: string | null): Promise<Account | null> {
  const [row] = await change.db
    .select({ account: accountOf(except) })
    .from(agents)
    .innerJoin(companies, eq(companies.id, agents.companyId))
    .where(and(eq(agents.companyId, change.companyId), eq(agents.id, agentId)));
  return row?.account ?? null;
}

/** An agent with a run that only waits for room. */
export interface Waiting {
  readonly companyId: string;
  readonly agentId: string;
  readonly account: Account;
}

/** Agents that could work, have a run queued, and a limit of their own or their company's. */
export async function listWaiting(db: Reader, only: Pick<Scope, "companyId"> | null): Promise<Waiting[]> {
  const queued = sql`(select r.company_id, r.agent_id from ${runs} r where r.status = 'queued' and ${mayStart}
    and (${only?.companyId ?? null}::uuid is null or r.company_id = ${only?.companyId ?? null}::uuid))`;
  const rows = await db
    .select({ companyId: agents.companyId, agentId: agents.id, account: accountOf(null) })
    .from(agents)
    .innerJoin(companies, eq(companies.id, agents.companyId))
    .where(
      and(
        eq(companies.status, "active"),
        inArray(agents.status, ["idle", "running", "error"]),
        sql`(${agents.companyId}, ${agents.id}) in ${queued}`,
        sql`${agents.budgetMonthlyCents} + ${companies.budgetMonthlyCents} > 0`,
      ),
    );
  return rows.flatMap(({ account, ...who }) => (account === null ? [] : [{ ...who, account }]));
}
