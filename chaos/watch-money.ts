import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "postgres";
import { reporting } from "./work.ts";

const lookEveryMs = 200;

/** A look at the budgets again and again, as they are committed. */
export interface MoneyWatch {
  /** What was above a budget at any look. */
  stop(): Promise<string[]>;
}

/**
 * No program of the story reports more than its hold: what is spent and held may never be above a budget, but for what
 * was reported from outside after it was spent.
 */
export function watchMoney(sql: Sql): MoneyWatch {
  const over = new AbortController();
  const findings = new Set<string>();
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const { name, committed, most } of await overspent(sql).catch(() => [])) {
        findings.add(`${name} has ${committed} micro-dollars spent and held, of ${most}`);
      }
      await pause(lookEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await watching;
      return [...findings];
    },
  };
}

const overspent = (sql: Sql) => sql<{ name: string; committed: number; most: number }[]>`
  with holder as (
    select company_id, id, name, budget_monthly_cents from agents
    union all select id, id, name, budget_monthly_cents from companies
  ), standing as (
    select h.name, h.budget_monthly_cents::float8 * 10000 + coalesce((
        select sum(e.cost_micros) from cost_events e where e.company_id = h.company_id and e.provider = ${reporting}
          and h.id in (e.agent_id, e.company_id)), 0)::float8 as most, coalesce((
        select sum(s.spent_micros) from spend s where s.company_id = h.company_id and s.holder_id = h.id
          and s.month = to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM')), 0)::float8 + coalesce((
        select sum(greatest(l.held_micros - l.drawn_micros, 0)) from leases l where l.company_id = h.company_id
          and h.id in (l.agent_id, l.company_id)), 0)::float8 as committed
    from holder h where h.budget_monthly_cents > 0
  )
  select * from standing where committed > most`;
