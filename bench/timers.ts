import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "postgres";
import type { Expense } from "./expense.ts";
import type { Measurement } from "./measurement.ts";
import type { Stage } from "./stage.ts";
import { typicalAgent } from "./typical-agent.ts";
import { judged } from "./verdict.ts";

/** What it takes to wake many agents by timers. */
export interface TimerFigures {
  readonly agents: number;
  /** A part of one processor that the server takes while no timer is due, and while each is due once an hour. */
  readonly idleShare: number;
  readonly hourlyShare: number;
  /** Wakes of the latter, in a second. */
  readonly wakesPerSecond: number;
  /** After an outage: every timer due at once, until all have woken their agents. */
  readonly burstPerSecond: number;
}

const agents = 10_000;
const watchedMs = 30_000;
const hour = 3600;

/** Timers of many agents, of which no runner takes what they wake. */
export const timers: Measurement = {
  name: "timers",
  async measure(stage) {
    const figures = await measureTimers(stage);
    const percent = (share: number): number => share * 100;
    return {
      figures,
      verdicts: [
        judged("timers: 10,000, none due, of a processor", percent(figures.idleShare), "%", null),
        judged("timers: 10,000 an hour, of a processor", percent(figures.hourlyShare), "%", { atMost: 2 }),
        judged("timers: 10,000 an hour, wakes per second", figures.wakesPerSecond, "", null),
        judged("timers: 10,000 at once, wakes per second", figures.burstPerSecond, "", null),
      ],
    };
  },
};

async function measureTimers(stage: Stage): Promise<TimerFigures> {
  const { driver } = stage.database;
  const companyId = await addAgents(stage);
  await driver`update timers set next_at = clock_timestamp() + interval '1 day'`;
  await stage.settle();
  const idle = await watch(stage);
  await driver`
    update timers set next_at = clock_timestamp() + make_interval(secs => random() * ${hour}) where company_id = ${companyId}`;
  const before = await countWakes(driver, companyId);
  const hourly = await watch(stage);
  const wakes = (await countWakes(driver, companyId)) - before;
  const begun = performance.now();
  const woken = await countWakes(driver, companyId);
  await driver`update timers set next_at = clock_timestamp() - interval '1 day' where company_id = ${companyId}`;
  while ((await countWakes(driver, companyId)) < agents) await pause(50);
  const burstSeconds = (performance.now() - begun) / 1000;
  await driver`delete from timers`;
  return {
    agents,
    idleShare: idle,
    hourlyShare: hourly,
    wakesPerSecond: (wakes * 1000) / watchedMs,
    burstPerSecond: (agents - woken) / burstSeconds,
  };
}

/** Makes one agent through the service, and all others like it. */
async function addAgents({ board, database: { driver } }: Stage): Promise<string> {
  const { id: companyId } = await board.companies.create({ body: { name: "Timers" } });
  const heartbeat = { enabled: true, intervalSec: hour };
  const body = { ...typicalAgent("Sleeper"), runtimeConfig: { heartbeat } };
  const { id } = await board.agents.create({ params: { companyId }, body });
  await driver`
    with copies as (select gen_random_uuid() as id, n from generate_series(2, ${agents}) n),
    added as (
      insert into agents select (jsonb_populate_record(a, jsonb_build_object('id', c.id, 'url_key', 'sleeper-' || c.n))).*
      from agents a, copies c where a.company_id = ${companyId} and a.id = ${id}
      returning id
    ),
    revised as (
      insert into agent_revisions
      select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'agent_id', c.id))).*
      from agent_revisions v, copies c where v.company_id = ${companyId} and v.agent_id = ${id}
    )
    insert into timers select ${companyId}, id, ${hour}, clock_timestamp() + interval '1 day' from copies`;
  return companyId;
}

async function countWakes(sql: Sql, companyId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(distinct agent_id)::int as count from wakes where company_id = ${companyId}`;
  return row?.count ?? 0;
}

/** The part of a processor that the server takes by itself. */
async function watch({ server }: Stage): Promise<number> {
  const before = await server.child.ask<Expense>({});
  await pause(watchedMs);
  const after = await server.child.ask<Expense>({});
  return (after.cpuMicros - before.cpuMicros) / (watchedMs * 1000);
}
