import { setTimeout as pause } from "node:timers/promises";
import { registerRunner } from "@roster/server";
import { many } from "./many.ts";
import { startRunner } from "./runner-process.ts";
import type { Stage } from "./stage.ts";

const lookEveryMs = 2;

/** A runner at work on the stage's server. */
export interface BenchRunner {
  readonly pid: number;
}

/** Starts a runner, has it there while `work` goes on, and stops it; fails where it dies meanwhile. */
export async function withRunner<T>(stage: Stage, work: (runner: BenchRunner) => Promise<T>): Promise<T> {
  const host = { database: stage.database, notifier: { notify: () => undefined } };
  const { token } = await registerRunner(host, { name: "bench" });
  const runner = await startRunner({ url: stage.server.url, token, execArgv: stage.profiling });
  try {
    return await Promise.race([work(runner), runner.died]);
  } finally {
    await runner.stop();
  }
}

/** The settings of an agent whose program is this. */
export interface Program {
  readonly command: string;
  readonly args?: readonly string[];
}

/** Makes an agent whose program does nothing, or this. */
export async function addAgent(
  { board }: Stage,
  companyId: string,
  { command, args = [] }: Program = { command: "/bin/true" },
): Promise<string> {
  const body = { name: "Runner", adapterType: "process", adapterConfig: { command, args: [...args] } };
  return (await board.agents.create({ params: { companyId }, body })).id;
}

/** Runs to be made at once. */
export interface Crowd {
  readonly agents: number;
  /** Each agent is woken for so many issues, which are as many runs. */
  readonly wakesOfEach: number;
  readonly program?: Program;
}

/** A company with agents and issues, and what wakes each of the agents for each of the issues. */
export async function prepareCrowd(
  stage: Stage,
  { agents, wakesOfEach, program }: Crowd,
): Promise<{ companyId: string; wake: () => Promise<unknown> }> {
  const { id: companyId } = await stage.board.companies.create({ body: { name: "Many runs" } });
  const params = { companyId };
  const agentIds = await many(agents, () => addAgent(stage, companyId, program));
  const issueIds = await many(wakesOfEach, async (n) => {
    const issue = await stage.board.issues.create({ params, body: { title: `Issue ${n}` } });
    return issue.id;
  });
  const wake = () =>
    many(agents * wakesOfEach, (n) =>
      stage.board.runs.wakeup({
        params: { agentId: agentIds[n % agents] ?? "" },
        body: { issueId: issueIds[Math.floor(n / agents)] ?? "" },
      }),
    );
  return { companyId, wake };
}

/**
 * Waits until every run of a company, or of one of its agents, has ended. Looks at the rows themselves: a look through
 * the service would be counted as a part of the run.
 */
export async function untilSettled({ database: { driver } }: Stage, companyId: string): Promise<void> {
  for (;;) {
    const [row] = await driver<{ isOpen: boolean }[]>`
      select exists (select from runs where company_id = ${companyId} and status in ('queued', 'claimed', 'running'))
        as "isOpen"`;
    if (row?.isOpen === false) return;
    await pause(lookEveryMs);
  }
}

/** Milliseconds from the first claim of a company's runs to the end of the last. */
export async function workedMs({ database: { driver } }: Stage, companyId: string): Promise<number> {
  const [row] = await driver<{ ms: number }[]>`
    select extract(epoch from max(finished_at) - min(claimed_at))::float8 * 1000 as ms from runs
    where company_id = ${companyId}`;
  return row?.ms ?? 0;
}
