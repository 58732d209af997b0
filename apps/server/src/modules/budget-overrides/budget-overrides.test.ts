import type { Client } from "@roster/client";
import type { Agent, Approval, RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopeIn } from "../../../test/module-door.ts";
import {
  credentialOf,
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
} from "../../../test/run-ground.ts";
import type { TestServer } from "../../../test/test-server.ts";
import { judging } from "../../interface.ts";
import { judgeBudgets } from "./index.ts";

describe("budgets that hold", () => {
  let ground: RunGround;
  let other: TestServer;
  beforeAll(async () => {
    ground = await startRunGround();
    other = await ground.sibling();
  });
  afterAll(() => ground.close());

  /** What a server does from time to time. Whoever judges first: once it has returned, everybody due was judged. */
  const judge = (at: TestServer = ground.server): Promise<void> =>
    judgeBudgets(
      { database: at.database, notifier: { notify: () => undefined } },
      scopeIn(at, "", { kind: "system" }),
      judging,
    );
  const agentNow = (agentId: string): Promise<Agent> => ground.board.agents.get({ params: { agentId } });
  const usage = (offset: number, costCents: number) =>
    ({
      kind: "usage",
      stream: "stdout",
      offset,
      length: 1,
      data: { provider: "own", model: "one", costMicros: costCents * 10_000 },
    }) as const;
  const budgetIn = async (agentId: string) => (await (await ground.key(agentId)).agents.me({})).budget;
  const held = async (companyId: string): Promise<number> => {
    const [row] = await ground.sql<{ held: string }[]>`
      select coalesce(sum(greatest(held_micros - drawn_micros, 0)), 0) / 10000 as held from leases
      where company_id = ${companyId}`;
    return Number(row?.held);
  };
  const raise = (agentId: string, budgetMonthlyCents: number) =>
    ground.board.agents.change({ params: { agentId }, body: { budgetMonthlyCents } });
  const overrides = async (companyId: string): Promise<Approval[]> =>
    (await ground.board.approvals.list({ params: { companyId }, query: { type: "budget_override" } })).items;
  const spend = (companyId: string, agentId: string, costCents: number, by: Client = ground.board) =>
    by.costs.report({ params: { companyId }, body: { agentId, provider: "own", model: "one", costCents } });
  /** What a new month does to what was spent so far. */
  const nextMonth = (companyId: string) => ground.sql`
    update spend set month = '2000-' || substr(month, 6) where company_id = ${companyId}`;
  const calls = async (companyId: string) =>
    (await ground.board.attention.list({ params: { companyId }, query: { kind: "budget" } })).items;
  const actionsOf = async (company: TestCompany): Promise<string[]> =>
    (await company.log()).map(({ action }) => action);

  /** An agent with these settings that has so many issues to work on, and a runner for it. */
  async function atWork(more: object, issues: number, of: object = {}) {
    const company = await ground.company(of);
    const runner = await company.runner();
    const agent = await company.agent({ ...more, runtimeConfig: { maxConcurrentRuns: 10, ...runtimeOf(more) } });
    for (let n = 0; n < issues; n += 1) await company.issue({ assigneeAgentId: agent.id });
    return { company, runner, agent };
  }
  const runtimeOf = (more: { runtimeConfig?: object }): object => more.runtimeConfig ?? {};
  /** Settles so many runs, each of which cost that much. */
  async function history(company: TestCompany, runner: TestRunner, agentId: string, costs: readonly number[]) {
    for (const cost of costs) {
      await company.issue({ assigneeAgentId: agentId });
      await runner.settle(await runner.begin({ waitSec: 10 }), {}, [usage(0, cost)]);
    }
  }

  describe("holds", () => {
    test("P8: under a small limit first runs go one at a time, and the next waits for what the first holds", async () => {
      const { company, runner, agent } = await atWork({ budgetMonthlyCents: 100 }, 2);
      const { orders } = await runner.claim({ capacity: 5 });
      expect(orders).toHaveLength(1);
      const [order] = orders as [RunOrder];
      expect(order.capMicros).toBe(1_000_000);
      expect(await budgetIn(agent.id)).toEqual({
        monthlyCents: 100,
        spentCents: 0,
        reservedCents: 100,
        remainingCents: 0,
      });
      const waiting = (await company.runs()).find(({ status }) => status === "queued");
      expect(waiting?.waitingFor).toBe("over_budget");
      await runner.start(order);
      await runner.settle(order, {}, [usage(0, 10)]);
      expect(await budgetIn(agent.id)).toMatchObject({ spentCents: 10, reservedCents: 0, remainingCents: 90 });
      expect((await runner.take({ waitSec: 10 })).runId).toBe(waiting?.id);
    });

    test("P8: it is what one run may cost, where that is said; else what the dearest of the last runs did, 25 cents at least", async () => {
      const { company, runner, agent } = await atWork({ budgetMonthlyCents: 10_000 }, 0);
      await history(company, runner, agent.id, [1, 2]);
      expect(await held(company.id)).toBe(0);
      await company.issue({ assigneeAgentId: agent.id });
      const first = await runner.begin({ waitSec: 10 });
      expect(await held(company.id)).toBe(500);
      await runner.settle(first, {}, [usage(0, 3)]);
      await company.issue({ assigneeAgentId: agent.id });
      const second = await runner.begin({ waitSec: 10 });
      expect(await held(company.id)).toBe(25);
      await runner.settle(second, {}, [usage(0, 60)]);
      await company.issue({ assigneeAgentId: agent.id });
      const third = await runner.begin({ waitSec: 10 });
      expect(await held(company.id)).toBe(60);
      await runner.settle(third);
      await ground.board.agents.change({
        params: { agentId: agent.id },
        body: { runtimeConfig: { maxRunCostCents: 7 } },
      });
      await company.issue({ assigneeAgentId: agent.id });
      const fourth = await runner.begin({ waitSec: 10 });
      expect(await held(company.id)).toBe(7);
      await runner.settle(fourth);
    });

    test("a lost run leaves no hold; without a limit nothing is held", async () => {
      const { company, runner, agent } = await atWork({ budgetMonthlyCents: 100 }, 1);
      const order = await runner.begin();
      expect(await held(company.id)).toBe(100);
      await ground.expire(order.runId);
      await ground.reap();
      expect(await held(company.id)).toBe(0);
      await raise(agent.id, 0);
      const again = await runner.begin({ held: [], waitSec: 10 });
      expect(again.capMicros).toBeNull();
      expect(await held(company.id)).toBe(0);
    });

    test("P8: agents of one company share what it may spend; who finds no room keeps nobody from work", async () => {
      const { company, runner } = await atWork({}, 1, { budgetMonthlyCents: 100 });
      expect((await runner.claim({ capacity: 1 })).orders).toHaveLength(1);
      for (let n = 0; n < 20; n += 1)
        await company.issue({ assigneeAgentId: (await company.agent({ name: `A${n}` })).id });
      const elsewhere = await ground.company();
      const free = await elsewhere.agent();
      const run = await ground.wake(free.id);
      const both = await ground.runner([company.id, elsewhere.id]);
      const { orders } = await both.claim({ capacity: 50 });
      expect(orders.map(({ runId }) => runId)).toEqual([run.id]);
    });

    test("P8: those that find no room do not use up what a runner looks at", async () => {
      const company = await ground.company();
      for (let n = 0; n < 20; n += 1) {
        const runtimeConfig = { maxRunCostCents: 60, maxConcurrentRuns: 2 };
        const poor = await company.agent({ name: `Poor ${n}`, budgetMonthlyCents: 100, runtimeConfig });
        await spend(company.id, poor.id, 50);
        await company.issue({ assigneeAgentId: poor.id, priority: "critical" });
      }
      const run = await ground.wake((await company.agent()).id);
      const { orders } = await (await company.runner()).claim({ capacity: 1 });
      expect(orders.map(({ runId }) => runId)).toEqual([run.id]);
    });
  });

  describe("metering", () => {
    test("P8: what a run tells draws on its hold and extends it; without room it is to end, and its credential is dead", async () => {
      const { runner, agent, company } = await atWork({ budgetMonthlyCents: 1000 }, 1);
      const order = await runner.begin();
      await runner.tell(order, [usage(0, 450)]);
      expect(await budgetIn(agent.id)).toMatchObject({ spentCents: 450, reservedCents: 50 });
      await runner.tell(order, [usage(1, 60)]);
      // It has used up 500 and 10 more; what the tightest limit has left is 490.
      expect(await budgetIn(agent.id)).toMatchObject({ spentCents: 510, reservedCents: 490, remainingCents: 0 });
      await ground.inRun(order).agents.me({});
      await runner.tell(order, [usage(2, 495)]);
      expect(await ground.run(order.runId)).toMatchObject({ ending: "budget_exhausted", usage: { costCents: 1005 } });
      await judge();
      await ground.refused("run_ended", () => ground.inRun(order).agents.me({}));
      expect((await runner.extend(order)).end).toEqual([
        { runId: order.runId, epoch: order.epoch, reason: "budget_exhausted" },
      ]);
      await runner.settle(order, { code: "budget_exhausted", message: "Ended.", exitCode: null, signal: "SIGTERM" });
      const over = await ground.run(order.runId);
      expect(over).toMatchObject({ status: "failed", cause: { code: "budget_exhausted" }, usage: { costCents: 1005 } });
      expect(await held(company.id)).toBe(0);
    });

    test("a run that its budget ended is tried again as soon as there is room, and not before; one that cost all that it may is not", async () => {
      const { runner, agent } = await atWork({ budgetMonthlyCents: 100 }, 1);
      const order = await runner.begin();
      await runner.tell(order, [usage(0, 120)]);
      await runner.settle(order, { code: "budget_exhausted", message: "Ended." });
      await judge();
      expect((await runner.claim()).orders).toEqual([]);
      const body = { budgetMonthlyCents: 10_000, runtimeConfig: { maxRunCostCents: 50 } };
      await ground.board.agents.change({ params: { agentId: agent.id }, body });
      const again = await runner.begin();
      expect(await ground.run(again.runId)).toMatchObject({ retryOf: order.runId, attempt: 2 });
      await runner.tell(again, [usage(0, 50)]);
      await runner.settle(again, { code: "budget_exhausted", message: "Ended." });
      expect((await runner.claim()).orders).toEqual([]);
    });

    test("told again, also at the end, it is booked once; other events book nothing", async () => {
      const { runner, agent } = await atWork({ budgetMonthlyCents: 1000 }, 1);
      const order = await runner.begin();
      const output = { kind: "output", stream: "stdout", offset: 5, length: 1, text: "x" } as const;
      await Promise.all([1, 2, 3].map(() => runner.tell(order, [usage(0, 20), output])));
      await runner.settle(order, {}, [usage(0, 20)]);
      expect((await agentNow(agent.id)).spentMonthlyCents).toBe(20);
      expect((await ground.run(order.runId)).usage.costCents).toBe(20);
    });

    test("what one run may cost is never extended, with a limit or without", async () => {
      for (const budgetMonthlyCents of [0, 1000]) {
        const runtimeConfig = { maxRunCostCents: 50 };
        const { runner } = await atWork({ budgetMonthlyCents, runtimeConfig }, 1);
        const order = await runner.begin();
        expect(order.capMicros).toBe(500_000);
        await runner.tell(order, [usage(0, 49)]);
        expect((await ground.run(order.runId)).ending).toBeNull();
        await runner.tell(order, [usage(1, 1)]);
        expect((await ground.run(order.runId)).ending).toBe("budget_exhausted");
      }
    });

    test("P8: what somebody reports for a run under way is paid from its hold too", async () => {
      const { company, runner, agent } = await atWork({ budgetMonthlyCents: 100 }, 1);
      const order = await runner.begin();
      await spend(company.id, agent.id, 30, ground.server.as(credentialOf(order)));
      expect(await budgetIn(agent.id)).toMatchObject({ spentCents: 30, reservedCents: 70 });
      // Not what its program told: that is what usage says.
      expect((await ground.run(order.runId)).usage.costCents).toBe(0);
      await spend(company.id, agent.id, 80, ground.server.as(credentialOf(order)));
      expect((await ground.run(order.runId)).ending).toBe("budget_exhausted");
    });

    test("P8: under the company's limit a run without room ends, and nobody is paused", async () => {
      const { company, runner, agent } = await atWork({}, 2, { budgetMonthlyCents: 100 });
      const order = await runner.begin();
      await runner.tell(order, [usage(0, 100)]);
      await judge();
      expect((await ground.run(order.runId)).ending).toBe("budget_exhausted");
      expect((await agentNow(agent.id)).status).toBe("running");
      await runner.settle(order);
      expect((await agentNow(agent.id)).status).toBe("idle");
      expect((await runner.claim()).orders).toEqual([]);
      const [question] = await overrides(company.id);
      expect(question).toMatchObject({
        status: "pending",
        agentId: null,
        requestedByAgentId: null,
        requestedByUserId: null,
      });
      expect(question?.payload).toMatchObject({
        agentId: null,
        budgetMonthlyCents: 100,
        proposedBudgetMonthlyCents: 200,
        spentMonthlyCents: 100,
      });
      await ground.board.approvals.approve({ params: { approvalId: question?.id ?? "" }, body: {} });
      const now = await ground.board.companies.get({ params: { companyId: company.id } });
      expect(now.budgetMonthlyCents).toBe(200);
      expect((await runner.begin({ waitSec: 10 })).agentId).toBe(agent.id);
      await judge();
      expect(await calls(company.id)).toEqual([]);
    });
  });

  describe("judgement", () => {
    test("P8: at 80 % there is one warning a month, of the agent and of the company", async () => {
      const company = await ground.company({ budgetMonthlyCents: 200 });
      const agent = await company.agent({ budgetMonthlyCents: 100 });
      const warned = async () => (await company.log()).filter(({ action }) => action.endsWith("budget_warned"));
      await spend(company.id, agent.id, 79);
      await judge();
      expect(await warned()).toEqual([]);
      await spend(company.id, agent.id, 1);
      await Promise.all([judge(), judge(other), judge(), judge(other)]);
      expect((await warned()).map(({ sentence }) => sentence)).toEqual([
        expect.stringMatching(/warned that Ada has spent \$0\.80 of the \$1\.00 that it may in \d{4}-\d{2}$/),
      ]);
      await raise(agent.id, 1000);
      await spend(company.id, agent.id, 100);
      await judge();
      expect((await warned()).map(({ entityType }) => entityType)).toEqual(["agent", "company"]);
      await nextMonth(company.id);
      await spend(company.id, agent.id, 180);
      await judge();
      expect((await warned()).map(({ entityType }) => entityType)).toEqual(["agent", "company", "company"]);
    });

    test("P8: at 100 % the agent is paused and the board is asked, once, however many judge, though nobody was told", async () => {
      const { company, runner, agent } = await atWork({ budgetMonthlyCents: 100 }, 2);
      const order = await runner.begin();
      // A server that booked this and was killed before it told anybody.
      await ground.sql`
        insert into spend (company_id, holder_id, month, spent_micros)
        values (${company.id}, ${agent.id}, to_char(now() at time zone 'UTC', 'YYYY-MM'), 1000000)
        on conflict (company_id, holder_id, month) do update set spent_micros = 1000000`;
      await Promise.all([judge(), judge(other), judge(), judge(other)]);
      expect(await agentNow(agent.id)).toMatchObject({ status: "paused", pauseReason: "budget" });
      expect(await ground.run(order.runId)).toMatchObject({ ending: "budget_exhausted" });
      const questions = await overrides(company.id);
      expect(questions).toMatchObject([{ status: "pending", agentId: agent.id }]);
      expect(questions[0]?.payload).toMatchObject({
        agentId: agent.id,
        name: "Ada",
        budgetMonthlyCents: 100,
        proposedBudgetMonthlyCents: 200,
        spentMonthlyCents: 100,
        month: new Date().toISOString().slice(0, 7),
      });
      const waiting = (await company.runs()).find(({ status }) => status === "queued");
      expect(waiting?.waitingFor).toBe("over_budget");
      await ground.refused("over_budget", () => ground.wake(agent.id));
      expect(await calls(company.id)).toMatchObject([{ kind: "budget", entityType: "agent", entityId: agent.id }]);
      const requested = (await company.log()).find(({ action }) => action === "approval.requested");
      expect(requested).toMatchObject({ actor: { kind: "system" } });
      expect(requested?.sentence).toContain("raise the monthly budget of Ada from $1.00 to $2.00");
    });

    /** An agent that its budget has paused, and the question about it. */
    async function spent(): Promise<{ company: TestCompany; agent: Agent; runner: TestRunner; question: Approval }> {
      const { company, runner, agent } = await atWork({ budgetMonthlyCents: 100 }, 1);
      await spend(company.id, agent.id, 100);
      await judge();
      const [question] = await overrides(company.id);
      return { company, runner, agent, question: question ?? expect.fail("nobody was asked") };
    }
    const status = async ({ id }: Approval) =>
      (await ground.board.approvals.get({ params: { approvalId: id } })).status;

    test("P3: approving raises the budget as a revision and resumes, in the deciding change", async () => {
      const { company, agent, runner, question } = await spent();
      await ground.board.approvals.approve({ params: { approvalId: question.id }, body: {} });
      expect(await agentNow(agent.id)).toMatchObject({ status: "idle", budgetMonthlyCents: 200, revisionNumber: 2 });
      const { items } = await ground.board.configurations.listRevisions({ params: { agentId: agent.id } });
      expect(items[0]).toMatchObject({ source: "approval", changed: ["budgetMonthlyCents"] });
      const log = await company.log();
      const at = (action: string) => log.findIndex((entry) => entry.action === action);
      const decided = ["approval.approved", "agent.resumed", "agent.changed"].map(at);
      expect(decided).toEqual([decided[0], (decided[0] ?? 0) + 1, (decided[0] ?? 0) + 2]);
      expect((await runner.begin({ waitSec: 10 })).agentId).toBe(agent.id);
    });

    test("rejected, it stays paused, and the board is not asked again before the next month or another limit", async () => {
      const { company, agent, question } = await spent();
      await ground.board.approvals.reject({ params: { approvalId: question.id }, body: {} });
      await judge();
      expect(await agentNow(agent.id)).toMatchObject({ status: "paused", pauseReason: "budget" });
      expect(await overrides(company.id)).toHaveLength(1);
      await raise(agent.id, 110);
      expect((await agentNow(agent.id)).status).toBe("idle");
      await spend(company.id, agent.id, 10);
      await judge();
      expect((await overrides(company.id)).map((one) => one.status)).toEqual(["pending", "rejected"]);
      expect((await agentNow(agent.id)).status).toBe("paused");
    });

    test("a raise resumes at once, by PATCH or by a rollback; the question is taken back", async () => {
      const raises: ((agentId: string) => Promise<unknown>)[] = [
        (agentId) => raise(agentId, 101),
        (agentId) => raise(agentId, 0),
        async (agentId) => {
          const { items } = await ground.board.configurations.listRevisions({ params: { agentId } });
          await raise(agentId, 90);
          await ground.sql`update spend set spent_micros = 950000 where holder_id = ${agentId}`;
          await ground.board.configurations.rollback({ params: { agentId, revisionId: items[0]?.id ?? "" } });
        },
      ];
      for (const by of raises) {
        const { agent, question } = await spent();
        await by(agent.id);
        expect(await agentNow(agent.id)).toMatchObject({ status: "idle", pauseReason: null });
        await judge();
        expect(await status(question)).toBe("cancelled");
      }
    });

    test("what the board paused, no budget resumes; a cut pauses, and a raise to no more than is spent resumes nobody", async () => {
      const company = await ground.company();
      const agent = await company.agent();
      await spend(company.id, agent.id, 50);
      await raise(agent.id, 40);
      await judge();
      expect(await agentNow(agent.id)).toMatchObject({ status: "paused", pauseReason: "budget" });
      await raise(agent.id, 50);
      expect((await agentNow(agent.id)).status).toBe("paused");
      await raise(agent.id, 51);
      await ground.board.agents.pause({ params: { agentId: agent.id } });
      await raise(agent.id, 1000);
      await judge();
      expect(await agentNow(agent.id)).toMatchObject({ status: "paused", pauseReason: "board" });
    });

    test("P8: a new month resumes what the budget paused, takes the question back and lets what waits start", async () => {
      const { company, agent, runner, question } = await spent();
      await nextMonth(company.id);
      await Promise.all([judge(), judge(other)]);
      expect(await agentNow(agent.id)).toMatchObject({ status: "idle", spentMonthlyCents: 0 });
      expect(await status(question)).toBe("cancelled");
      expect(await calls(company.id)).toEqual([]);
      expect((await actionsOf(company)).filter((action) => action === "agent.resumed")).toHaveLength(1);
      expect((await runner.begin({ waitSec: 10 })).agentId).toBe(agent.id);
    });

    test("resumed by hand it is not paused again for the same limit; its runs still wait", async () => {
      const { agent, runner } = await spent();
      await ground.board.agents.resume({ params: { agentId: agent.id } });
      await judge();
      expect((await agentNow(agent.id)).status).toBe("idle");
      expect((await runner.claim()).orders).toEqual([]);
    });

    test("who has less left than a run needs that waits is not paused, but the board is asked for enough", async () => {
      const runtimeConfig = { maxRunCostCents: 60 };
      const { company, runner, agent } = await atWork({ budgetMonthlyCents: 100, runtimeConfig }, 1);
      await spend(company.id, agent.id, 50);
      await judge();
      expect((await agentNow(agent.id)).status).toBe("idle");
      const [question] = await overrides(company.id);
      expect(question?.payload).toMatchObject({ proposedBudgetMonthlyCents: 200 });
      expect((await runner.claim()).orders).toEqual([]);
      await ground.board.approvals.approve({ params: { approvalId: question?.id ?? "" }, body: {} });
      expect((await runner.begin({ waitSec: 10 })).agentId).toBe(agent.id);
    });

    test("a terminated agent's question is taken back", async () => {
      const { agent, question } = await spent();
      await ground.board.agents.terminate({ params: { agentId: agent.id } });
      await judge();
      expect(await status(question)).toBe("cancelled");
    });

    test("whynot names whose budget it is, what has become of it, and the call which clears it", async () => {
      const { company, agent, runner } = await atWork({ budgetMonthlyCents: 100 }, 2, { budgetMonthlyCents: 1000 });
      const order = await runner.begin();
      const second = await company.agent({ name: "Bo", budgetMonthlyCents: 5000 });
      await company.issue({ assigneeAgentId: second.id });
      const ask = async (id: string) => (await ground.board.runs.whynot({ params: { agentId: id } })).reasons;
      await raise(second.id, 0);
      await ground.board.companies.change({ params: { companyId: company.id }, body: { budgetMonthlyCents: 120 } });
      expect(await ask(second.id)).toMatchObject([
        {
          code: "over_budget",
          nextActor: "service",
          message: expect.stringContaining(
            "Its company has spent $0.00 of $1.20 this month, and runs under way hold $1.00",
          ),
          fix: { method: "PATCH", path: `/api/companies/${company.id}` },
        },
      ]);
      await runner.settle(order, {}, [usage(0, 100)]);
      await judge();
      const [question] = (await overrides(company.id)).filter(({ agentId }) => agentId === agent.id);
      const [reason] = await ask(agent.id);
      expect(reason).toEqual({
        code: "over_budget",
        nextActor: "board",
        message: "It has spent $1.00 of $1.00 this month.",
        fix: { method: "POST", path: `/api/approvals/${question?.id}/approve`, body: {} },
      });
      await fetch(`${ground.server.url}${reason?.fix?.path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      expect((await agentNow(agent.id)).budgetMonthlyCents).toBe(200);
    });
  });
});
