import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { registerRunner } from "@roster/server";
import type { Sql } from "postgres";
import { type Delay, delay } from "./delay.ts";
import type { Expense } from "./expense.ts";
import { many } from "./many.ts";
import type { Measurement } from "./measurement.ts";
import { residentBytes } from "./memory.ts";
import { startRunner } from "./runner-process.ts";
import type { Stage } from "./stage.ts";
import { judged, type Verdict } from "./verdict.ts";

/** What it takes to run an agent whose program is `/bin/true`. */
export interface RunFigures {
  /** From the wake to the report that the program was started, one run at a time. */
  readonly started: Delay;
  readonly settled: Delay;
  /** Many wakes at once, over many agents, until all have ended. */
  readonly perSecond: number;
  /** SQL statements from the wake to the settlement, BEGIN and COMMIT included, one run at a time. */
  readonly statements: number;
  readonly serverBytes: number | null;
  readonly runnerBytes: number | null;
  /** A bare loop that starts the same program and waits for its end. */
  readonly floor: Delay & { readonly perSecond: number };
}

const sequential = 200;
const agentsAtOnce = 50;
const wakesOfEach = 4;
const lookEveryMs = 2;

/** Runs of a program that does nothing, with a runner of their own. */
export const runs: Measurement = {
  name: "runs",
  async measure(stage) {
    const figures = await measureRuns(stage);
    return { figures, verdicts: verdictsOf(figures) };
  },
};

function verdictsOf(figures: RunFigures): Verdict[] {
  const { started, settled, perSecond, statements, serverBytes, runnerBytes, floor } = figures;
  const megabytes = (bytes: number | null): number | null => bytes && bytes / 1_000_000;
  return [
    judged("runs: wake to started, p50", started.p50Ms, "ms", { atMost: 10 }),
    judged("runs: wake to started, p99", started.p99Ms, "ms", { atMost: 40 }),
    judged("runs: wake to settled, p50", settled.p50Ms, "ms", null),
    judged("runs: wake to settled, p99", settled.p99Ms, "ms", null),
    judged("runs: bare spawn, p50", floor.p50Ms, "ms", null),
    judged("runs: settled per second", perSecond, "", { atLeast: 100 }),
    judged("runs: bare spawns per second", floor.perSecond, "", null),
    judged("runs: statements", statements, "", { atMost: 20 }),
    judged("runs: runner, most", megabytes(runnerBytes), "MB", { atMost: 90 }),
    judged("runs: server, most", megabytes(serverBytes), "MB", null),
  ];
}

async function measureRuns(stage: Stage): Promise<RunFigures> {
  const host = { database: stage.database, notifier: { notify: () => undefined } };
  const { token } = await registerRunner(host, { name: "bench" });
  const runner = await startRunner(stage.server.url, token);
  const memory = watchMemory([stage.server.pid, runner.pid]);
  try {
    return await Promise.race([measureWith(stage, memory), runner.died]);
  } finally {
    await memory.stop();
    await runner.stop();
  }
}

async function measureWith(stage: Stage, memory: MemoryWatch): Promise<RunFigures> {
  const company = await stage.board.companies.create({ body: { name: "Runs" } });
  const agentId = await addAgent(stage, company.id);
  for (let n = 0; n < 10; n += 1) await runOnce(stage, agentId);
  await stage.settle();
  const before = await statementsSoFar(stage);
  for (let n = 0; n < sequential; n += 1) await runOnce(stage, agentId);
  const statements = ((await statementsSoFar(stage)) - before) / sequential;
  const [started, settled] = await delaysOf(stage.database.driver, company.id);
  const perSecond = await runMany(stage);
  const [serverBytes = null, runnerBytes = null] = await memory.stop();
  return { started, settled, perSecond, statements, serverBytes, runnerBytes, floor: await bareSpawns() };
}

const statementsSoFar = async ({ server }: Stage): Promise<number> =>
  (await server.child.ask<Expense>({})).statements ?? 0;

async function addAgent({ board }: Stage, companyId: string): Promise<string> {
  const body = { name: "Runner", adapterType: "process", adapterConfig: { command: "/bin/true" } };
  return (await board.agents.create({ params: { companyId }, body })).id;
}

async function runOnce(stage: Stage, agentId: string): Promise<void> {
  await stage.board.runs.wakeup({ params: { agentId }, body: {} });
  await untilSettled(stage.database.driver, agentId);
}

/** Looks at the rows themselves: a look through the service would be counted as a part of the run. */
async function untilSettled(sql: Sql, agentId: string): Promise<void> {
  for (;;) {
    const [row] = await sql<{ open: number }[]>`
      select count(*)::int as open from runs where agent_id = ${agentId} and finished_at is null`;
    if (row?.open === 0) return;
    await pause(lookEveryMs);
  }
}

async function delaysOf(sql: Sql, companyId: string): Promise<[Delay, Delay]> {
  const of = async (moment: "started_at" | "finished_at"): Promise<Delay> => {
    const rows = await sql<{ ms: number }[]>`
      select extract(epoch from ${sql(moment)} - created_at)::float8 * 1000 as ms from runs
      where company_id = ${companyId} order by id desc limit ${sequential}`;
    return delay(rows.map(({ ms }) => ms));
  };
  return [await of("started_at"), await of("finished_at")];
}

/** Wakes many agents, each for several issues, and waits until every run has ended; answers runs per second. */
async function runMany(stage: Stage): Promise<number> {
  const company = await stage.board.companies.create({ body: { name: "Many runs" } });
  const params = { companyId: company.id };
  const agentIds = await many(agentsAtOnce, () => addAgent(stage, company.id));
  const issueIds = await many(wakesOfEach, async (n) => {
    const issue = await stage.board.issues.create({ params, body: { title: `Issue ${n}` } });
    return issue.id;
  });
  await stage.settle();
  const begun = performance.now();
  await many(agentsAtOnce * wakesOfEach, (n) =>
    stage.board.runs.wakeup({
      params: { agentId: agentIds[n % agentsAtOnce] ?? "" },
      body: { issueId: issueIds[Math.floor(n / agentsAtOnce)] ?? "" },
    }),
  );
  for (;;) {
    const [row] = await stage.database.driver<{ open: number }[]>`
      select count(*)::int as open from runs where company_id = ${company.id} and finished_at is null`;
    if (row?.open === 0) break;
    await pause(lookEveryMs * 5);
  }
  return (agentsAtOnce * wakesOfEach * 1000) / (performance.now() - begun);
}

async function bareSpawns(): Promise<RunFigures["floor"]> {
  const begun = performance.now();
  const times: number[] = [];
  for (let n = 0; n < sequential; n += 1) {
    const since = performance.now();
    await once(spawn("/bin/true", { stdio: "ignore" }), "exit");
    times.push(performance.now() - since);
  }
  return { ...delay(times), perSecond: (sequential * 1000) / (performance.now() - begun) };
}

interface MemoryWatch {
  stop(): Promise<(number | null)[]>;
}

/** The most that each of these processes occupied while it was watched. */
function watchMemory(pids: readonly number[]): MemoryWatch {
  const over = new AbortController();
  const most: (number | null)[] = pids.map(() => null);
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const [index, pid] of pids.entries()) {
        const bytes = await residentBytes(pid);
        if (bytes !== null) most[index] = Math.max(most[index] ?? 0, bytes);
      }
      await pause(100, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await watching;
      return most;
    },
  };
}
