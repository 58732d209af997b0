import type { Sql } from "postgres";
import { type BareSpawns, bareSpawns } from "./bare-spawns.ts";
import { type Delay, delay } from "./delay.ts";
import type { Expense } from "./expense.ts";
import type { Measurement } from "./measurement.ts";
import { watchMemory } from "./memory-watch.ts";
import { processorMicros } from "./processor-time.ts";
import { addAgent, type BenchRunner, prepareCrowd, untilSettled, withRunner, workedMs } from "./run-ground.ts";
import type { Stage } from "./stage.ts";
import { judged, type Verdict } from "./verdict.ts";

/** What it takes to run an agent whose program is `/bin/true`. */
interface RunFigures {
  /** From the wake to the report that the program was started, one run at a time. */
  readonly started: Delay;
  readonly settled: Delay;
  /** Many wakes at once, over many agents, until all have ended. */
  readonly perSecond: number;
  /** SQL statements from the wake to the settlement, BEGIN and COMMIT included, one run at a time. */
  readonly statements: number;
  readonly serverBytes: number | null;
  readonly runnerBytes: number | null;
  readonly queued: QueuedFigures;
  readonly floor: BareSpawns;
}

/** Runs that were all waiting when the runner came. */
interface QueuedFigures {
  readonly runs: number;
  readonly perSecond: number;
  /** Time on a processor for each run: of the server, and of the runner with its children. */
  readonly serverMicros: number;
  readonly runnerMicros: number | null;
}

/** How often each statement is sent for one run. */
type Texts = Readonly<Record<string, number>>;

const warmUp = 10;
const sequential = 200;
const crowd = { agents: 50, wakesOfEach: 4 };
const queue = { agents: 50, wakesOfEach: 20 };

/** Runs of a program that does nothing, with a runner of their own. */
export const runs: Measurement = {
  name: "runs",
  async measure(stage, wish) {
    const { texts, ...figures } = await measureRuns(stage);
    const verdicts = verdictsOf(figures);
    return wish.statements ? { figures, verdicts, appendix: listed(texts) } : { figures, verdicts };
  },
};

/** How often each statement is sent for one run, the most frequent first. Pure. */
function listed(texts: Texts): string {
  const lines = Object.entries(texts).map(
    ([text, count]) => `${count.toFixed(2)}  ${text.replace(/\s+/g, " ").trim()}`,
  );
  return ["statements of one run:", ...lines].join("\n");
}

function verdictsOf(figures: RunFigures): Verdict[] {
  const { started, settled, perSecond, statements, serverBytes, runnerBytes, queued, floor } = figures;
  const megabytes = (bytes: number | null): number | null => bytes && bytes / 1_000_000;
  const millis = (micros: number | null): number | null => micros && micros / 1000;
  return [
    judged("runs: wake to started, p50", started.p50Ms, "ms", { atMost: 10 }),
    judged("runs: wake to started, p99", started.p99Ms, "ms", { atMost: 40 }),
    judged("runs: wake to settled, p50", settled.p50Ms, "ms", null),
    judged("runs: wake to settled, p99", settled.p99Ms, "ms", null),
    judged("runs: bare spawn, p50", floor.p50Ms, "ms", null),
    judged("runs: wake to settled beyond a bare spawn, p50", settled.p50Ms - floor.p50Ms, "ms", null),
    judged("runs: 200 wakes of 50 agents, per second", perSecond, "", { atLeast: 100 }),
    judged("runs: 1,000 queued, per second", queued.perSecond, "", { atLeast: 100 }),
    judged("runs: bare spawns per second", floor.perSecond, "", null),
    judged("runs: one of the queued beyond a bare spawn", 1000 / queued.perSecond - 1000 / floor.perSecond, "ms", null),
    judged("runs: processor time of the server for each", millis(queued.serverMicros), "ms", null),
    judged("runs: of the runner, its children included", millis(queued.runnerMicros), "ms", null),
    judged("runs: statements", statements, "", { atMost: 20 }),
    judged("runs: runner, most", megabytes(runnerBytes), "MB", { atMost: 90 }),
    judged("runs: server, most", megabytes(serverBytes), "MB", null),
  ];
}

async function measureRuns(stage: Stage): Promise<RunFigures & { texts: Texts }> {
  const alone = await withRunner(stage, async (runner) => {
    const memory = watchMemory([stage.server.pid, runner.pid]);
    const [one, perSecond] = [await oneByOne(stage), await allAtOnce(stage)];
    const [serverBytes = null, runnerBytes = null] = await memory.stop();
    return { ...one, perSecond, serverBytes, runnerBytes };
  });
  const queued = await fromTheQueue(stage);
  return { ...alone, queued, floor: await bareSpawns(sequential) };
}

async function oneByOne(
  stage: Stage,
): Promise<Pick<RunFigures, "started" | "settled" | "statements"> & { texts: Texts }> {
  const { id: companyId } = await stage.board.companies.create({ body: { name: "Runs" } });
  const agentId = await addAgent(stage, companyId);
  const runOnce = async (): Promise<void> => {
    await stage.board.runs.wakeup({ params: { agentId }, body: {} });
    await untilSettled(stage, companyId);
  };
  for (let n = 0; n < warmUp; n += 1) await runOnce();
  await stage.settle();
  const before = await stage.server.child.ask<Expense>({});
  for (let n = 0; n < sequential; n += 1) await runOnce();
  const after = await stage.server.child.ask<Expense>({});
  const statements = ((after.statements ?? 0) - (before.statements ?? 0)) / sequential;
  const texts = Object.entries(after.texts ?? {})
    .map(([text, count]): [string, number] => [text, (count - (before.texts?.[text] ?? 0)) / sequential])
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one);
  const { driver } = stage.database;
  const [started, settled] = [
    await delayOf(driver, companyId, "started_at"),
    await delayOf(driver, companyId, "finished_at"),
  ];
  return { started, settled, statements, texts: Object.fromEntries(texts) };
}

async function delayOf(sql: Sql, companyId: string, moment: "started_at" | "finished_at"): Promise<Delay> {
  const rows = await sql<{ ms: number }[]>`
    select extract(epoch from ${sql(moment)} - created_at)::float8 * 1000 as ms from runs
    where company_id = ${companyId} order by id desc limit ${sequential}`;
  return delay(rows.map(({ ms }) => ms));
}

/** Wakes many agents, each for several issues, and waits until every run has ended; answers runs per second. */
async function allAtOnce(stage: Stage): Promise<number> {
  const { companyId, wake } = await prepareCrowd(stage, crowd);
  await stage.settle();
  const begun = performance.now();
  await wake();
  await untilSettled(stage, companyId);
  return (crowd.agents * crowd.wakesOfEach * 1000) / (performance.now() - begun);
}

/** Lets many runs wait before a runner comes, and counts from its first claim to the last end. */
async function fromTheQueue(stage: Stage): Promise<QueuedFigures> {
  const { companyId, wake } = await prepareCrowd(stage, queue);
  await wake();
  await stage.settle();
  const count = queue.agents * queue.wakesOfEach;
  const before = await stage.server.child.ask<Expense>({});
  const work = async ({ pid }: BenchRunner): Promise<number | null> => {
    await untilSettled(stage, companyId);
    return processorMicros(pid);
  };
  const runnerMicros = await withRunner(stage, work);
  const after = await stage.server.child.ask<Expense>({});
  return {
    runs: count,
    perSecond: (count * 1000) / (await workedMs(stage, companyId)),
    serverMicros: (after.cpuMicros - before.cpuMicros) / count,
    runnerMicros: runnerMicros && runnerMicros / count,
  };
}
