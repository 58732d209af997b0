import { Refused } from "@roster/client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModelEnd, type ModelRun, QueueModel, type Work } from "../../../test/queue-model.ts";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";
import type { TestServer } from "../../../test/test-server.ts";

const mostMs = 15_000;
/** How many runs each agent may have under way. */
const most = [1, 2] as const;
/** To whom the issues are given. */
const assignees = [0, 0, 1] as const;
/** Who asked for the one approval. */
const asker = 0;

/** What the model is compared with. */
interface Real {
  readonly company: TestCompany;
  readonly runner: TestRunner;
  readonly agents: readonly string[];
  readonly issues: readonly string[];
  readonly approvals: readonly string[];
}

describe("the queue, whatever is done to it", () => {
  let ground: RunGround;
  let other: TestServer;
  beforeAll(async () => {
    ground = await startRunGround();
    other = await ground.sibling();
  });
  afterAll(() => ground.close());

  async function build(): Promise<{ model: QueueModel; real: Real }> {
    const model = new QueueModel(most);
    const company = await ground.company();
    const agents: string[] = [];
    for (const [n, maxConcurrentRuns] of most.entries()) {
      agents.push((await company.agent({ name: `Agent ${n}`, runtimeConfig: { maxConcurrentRuns } })).id);
    }
    const client = await ground.key(agents[asker] ?? "");
    const payload = { title: "May I?", body: "Something." };
    const params = { companyId: company.id };
    const approval = await client.approvals.request({ params, body: { type: "board_request", payload } });
    const issues: string[] = [];
    for (const [issue, agent] of assignees.entries()) {
      issues.push((await company.issue({ assigneeAgentId: agents[agent] ?? "" })).id);
      model.wake({ agent, issue, approval: null });
    }
    const real = { company, runner: await company.runner(), agents, issues, approvals: [approval.id] };
    await compare(model, real);
    return { model, real };
  }

  const idOf = (ids: readonly string[], n: number | null): string | null => (n === null ? null : (ids[n] ?? null));
  const codeOf = (error: unknown): string => (error instanceof Refused ? error.code : `${error}`);

  /** Names the runs that the model has made since, and compares everything. */
  async function compare(model: QueueModel, { company, agents, issues, approvals }: Real): Promise<void> {
    const rows = await ground.sql<{ id: string; agent: string; issue: string; approval: string; status: string }[]>`
      select r.id, r.agent_id as agent, r.issue_id as issue, r.approval_id as approval, r.status,
        (r.ending is not null and r.status in ('claimed', 'running')) as "isEnding", r.attempt, r.epoch,
        r.retry_of as "retryOf", (select count(*)::int from wakes w where w.run_id = r.id) as wakes
      from runs r where r.company_id = ${company.id} order by r.id`;
    const placed = (run: Work) => ({
      agent: idOf(agents, run.agent),
      issue: idOf(issues, run.issue),
      approval: idOf(approvals, run.approval),
    });
    for (const run of model.runs.filter(({ id }) => id === null)) {
      const place = placed(run);
      const unknown = rows.filter(({ id }) => model.runs.every((known) => known.id !== id));
      const fits = unknown.find((row) => Object.entries(place).every(([key, id]) => row[key as keyof Work] === id));
      run.id = fits?.id ?? null;
    }
    const expected = model.runs.map((run) => ({
      id: run.id,
      ...placed(run),
      status: run.status,
      isEnding: run.isEnding && ["claimed", "running"].includes(run.status),
      attempt: run.attempt,
      epoch: run.epoch,
      retryOf: run.retryOf?.id ?? null,
      wakes: run.wakes.length,
    }));
    expect([...rows]).toEqual(expected.sort((one, next) => (`${one.id}` < `${next.id}` ? -1 : 1)));
    const shown = (await company.runs()).filter(({ status }) => status === "queued");
    const waiting = model.runs.filter(({ status }) => status === "queued");
    expect(new Map(shown.map(({ id, waitingFor }) => [id, waitingFor]))).toEqual(
      new Map(waiting.map((run) => [run.id, model.waitingFor(run)])),
    );
  }

  type Step = fc.AsyncCommand<QueueModel, Real>;
  /** A step that is always possible; everything is compared after it. */
  const step = (name: string, run: (model: QueueModel, real: Real) => Promise<void>): Step => ({
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => name,
  });
  /** A step with the n-th of some runs; none, where there is none. */
  const stepWith = (
    name: string,
    { n, of }: { n: number; of: (model: Pick<QueueModel, "runs" | "underWay">) => readonly ModelRun[] },
    run: (model: QueueModel, real: Real, chosen: ModelRun) => Promise<void>,
  ): Step => ({
    ...step(`${name}(${n})`, async (model, real) => {
      const runs = of(model);
      const chosen = runs[n % runs.length];
      if (chosen !== undefined) await run(model, real, chosen);
    }),
    check: (model) => of(model).length > 0,
  });
  const boardAt = (n: number) => (n % 2 === 0 ? ground.server : other).board;
  const claimOf = ({ id, epoch }: ModelRun) => ({ runId: id ?? "", epoch });

  /** Wakes on demand, and expects what comes of it. */
  async function demand(model: QueueModel, { agents, issues }: Real, work: Work, key: string | null): Promise<void> {
    const { agent, issue } = work;
    const known = key === null ? null : model.withKey(agent, key);
    const body = { issueId: idOf(issues, issue), ...(key !== null && { idempotencyKey: key }) };
    const answer = boardAt(agent).runs.wakeup({ params: { agentId: agents[agent] ?? "" }, body });
    if (known === null && !model.mayWakeOnDemand(agent)) {
      const expected = model.pauses[agent] === null ? "company_paused" : "agent_paused";
      expect(await answer.then(() => "done", codeOf)).toBe(expected);
      return;
    }
    const before = model.runs.length;
    const run = known ?? model.wake(work, key);
    const { run: made, coalesced } = await answer;
    expect(coalesced).toBe(model.runs.length === before);
    run.id ??= made?.id ?? null;
    expect(made?.id).toBe(run.id);
  }

  const wake = (agent: number, issue: number | null, key: string | null): Step =>
    step(`wake(${agent}, ${issue}, ${key})`, (model, real) =>
      demand(model, real, { agent, issue, approval: null }, key),
    );

  /** For what is under way already: what ends then may have to join what waits. */
  const wakeAgain = (n: number): Step => {
    const of = ({ underWay }: Pick<QueueModel, "underWay">) => underWay.filter(({ approval }) => approval === null);
    return stepWith("wake again", { n, of }, (model, real, run) => demand(model, real, run, null));
  };

  const remark = (issue: number): Step =>
    step(`remark(${issue})`, async (model, { issues }) => {
      await boardAt(issue).issues.addComment({ params: { issueId: issues[issue] ?? "" }, body: { body: "Well?" } });
      model.wake({ agent: assignees[issue] ?? 0, issue, approval: null });
    });

  const answer = (): Step =>
    step("remark on the approval", async (model, { approvals }) => {
      const params = { approvalId: approvals[0] ?? "" };
      await ground.board.approvals.comment({ params, body: { body: "Perhaps." } });
      model.wake({ agent: asker, issue: null, approval: 0 });
    });

  const claim = (capacity: number): Step =>
    step(`claim(${capacity})`, async (model, { agents, runner }) => {
      const { orders } = await runner.at(capacity % 2 === 0 ? ground.server : other).claim({ capacity });
      const could = agents.map((_, agent) => model.admissible(agent));
      expect(orders).toHaveLength(Math.min(capacity, could.flat().length));
      for (const { runId, agentId, epoch } of orders) {
        // Of each agent the oldest first; how it is divided between agents is another matter.
        const run = could[agents.indexOf(agentId)]?.shift() ?? expect.fail(`${runId} is not to be claimed`);
        model.claim(run);
        expect({ runId, epoch }).toEqual(claimOf(run));
      }
    });

  const start = (n: number): Step =>
    stepWith("start", { n, of: (model) => model.underWay }, async (_, { runner }, run) => {
      await runner.start(claimOf(run));
      run.status = "running";
    });

  const settle = (n: number, code: ModelEnd): Step =>
    stepWith(`settle as ${code}`, { n, of: (model) => model.underWay }, async (model, { runner }, run) => {
      await runner.settle(claimOf(run), { code, exitCode: code === "ok" ? 0 : null });
      model.settle(run, code);
    });

  const lose = (n: number): Step =>
    stepWith("lose", { n, of: (model) => model.underWay }, async (model, _, run) => {
      await ground.expire(run.id ?? "");
      await Promise.all([ground.reap(), ground.reap(other)]);
      model.lose(run);
    });

  const cancel = (n: number): Step =>
    stepWith("cancel", { n, of: (model) => model.runs }, async (model, _, run) => {
      const params = { runId: run.id ?? "" };
      const expected = model.cancel(run) ? "done" : "wrong_state";
      expect(
        await boardAt(n)
          .runs.cancel({ params })
          .then(() => "done", codeOf),
      ).toBe(expected);
    });

  const pauseAgent = (agent: number): Step =>
    step(`pause or resume agent ${agent}`, async (model, { agents }) => {
      const params = { agentId: agents[agent] ?? "" };
      if (model.pauses[agent] === null) {
        await ground.board.agents.pause({ params });
        model.pauseAgent(agent, "board");
      } else {
        await ground.board.agents.resume({ params });
        model.resumeAgent(agent);
      }
    });

  const pauseCompany = (): Step =>
    step("pause or resume the company", async (model, { company }) => {
      const params = { companyId: company.id };
      if (model.isCompanyPaused) await ground.board.companies.resume({ params });
      else await ground.board.companies.pause({ params });
      if (model.isCompanyPaused) model.isCompanyPaused = false;
      else model.pauseCompany();
    });

  const agent = fc.nat(most.length - 1);
  const issue = fc.nat(assignees.length - 1);
  const nth = fc.nat(11);
  const key = fc.option(fc.constantFrom("one", "two"), { freq: 3 });
  const end = fc.constantFrom<ModelEnd>("ok", "agent_error", "agent_error", "service_stop");
  /** As likely as they stand here often. */
  const steps = fc.commands(
    [
      fc.tuple(agent, fc.option(issue), key).map((asked) => wake(...asked)),
      nth.map(wakeAgain),
      nth.map(wakeAgain),
      issue.map(remark),
      fc.constant(answer()),
      fc.nat(4).map(claim),
      fc.nat(4).map(claim),
      fc.constant(claim(4)),
      nth.map(start),
      nth.map(start),
      fc.tuple(nth, end).map((asked) => settle(...asked)),
      fc.tuple(nth, end).map((asked) => settle(...asked)),
      nth.map(lose),
      nth.map(lose),
      nth.map(cancel),
      agent.map(pauseAgent),
      fc.constant(pauseCompany()),
    ],
    { size: "max", maxCommands: 40 },
  );

  test("P5: wakes, runs, what they wait for, and every move are those of a model that knows no database", async () => {
    // On a slow machine fewer are tried.
    const until = performance.now() + mostMs;
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        if (performance.now() < until) await fc.asyncModelRun(build, [claim(4), start(0), start(1), ...commands]);
      }),
      { seed: 5, numRuns: 30, endOnFailure: true },
    );
  }, 120_000);
});
