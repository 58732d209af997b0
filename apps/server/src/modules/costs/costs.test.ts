import { Refused } from "@roster/client";
import { type Agent, env } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { credentialOf, type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";

describe("costs", () => {
  let ground: RunGround;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const agentNow = (agentId: string): Promise<Agent> => ground.board.agents.get({ params: { agentId } });
  const report = (companyId: string, agentId: string, more: object = {}) =>
    ground.board.costs.report({
      params: { companyId },
      body: { agentId, provider: "anthropic", model: "claude-sonnet-4-5", ...more },
    });
  const summary = (companyId: string, query: object = {}) =>
    ground.board.costs.summary({ params: { companyId }, query });
  async function staffed(more: object = {}): Promise<{ company: TestCompany; agent: Agent }> {
    const company = await ground.company(more);
    return { company, agent: await company.agent() };
  }
  const refusalOf = async (call: Promise<unknown>): Promise<Refused> => {
    const error = await call.catch((thrown: unknown) => thrown);
    return error instanceof Refused ? error : expect.fail(`was not refused: ${JSON.stringify(error)}`);
  };

  test("a cost is booked once for all: event, agent, company, day and log commit together", async () => {
    const { company, agent } = await staffed();
    const issue = await company.issue();
    const event = await report(company.id, agent.id, {
      inputTokens: 1000,
      cachedInputTokens: 10_000,
      outputTokens: 2000,
      issueId: issue.id,
    });
    expect(event).toMatchObject({
      agentId: agent.id,
      issueId: issue.id,
      runId: null,
      costMicros: 36_000,
      costCents: 4,
      priced: "table",
    });
    expect(event.priceVersion).toMatch(/^\d{4}-\d{2}$/);
    expect((await agentNow(agent.id)).spentMonthlyCents).toBe(4);
    expect((await ground.board.companies.get({ params: { companyId: company.id } })).spentMonthlyCents).toBe(4);
    const listed = await ground.board.costs.list({ params: { companyId: company.id }, query: {} });
    expect(listed.items).toEqual([event]);
    const [entry] = (await company.log()).filter(({ action }) => action === "cost.booked");
    expect(entry).toMatchObject({ entityType: "cost_event", entityId: event.id, actor: { kind: "user" } });
    expect(entry?.sentence).toBe("The board booked $0.036 for Ada (anthropic claude-sonnet-4-5)");
    const amounts = { inputTokens: 1000, cachedInputTokens: 10_000, outputTokens: 2000, costMicros: 36_000, events: 1 };
    expect(await summary(company.id)).toMatchObject({
      ...amounts,
      days: [{ day: event.createdAt.slice(0, 10), ...amounts }],
    });
  });

  test("what is reported wins over the table, in cents or in micros; not both", async () => {
    const { company, agent } = await staffed();
    expect(await report(company.id, agent.id, { inputTokens: 5, costCents: 12 })).toMatchObject({
      costMicros: 120_000,
      priced: "reported",
      priceVersion: null,
    });
    expect((await report(company.id, agent.id, { costMicros: 7 })).costMicros).toBe(7);
    expect((await report(company.id, agent.id, { inputTokens: 5, costCents: 0 })).costMicros).toBe(0);
    const both = await refusalOf(report(company.id, agent.id, { costCents: 1, costMicros: 10_000 }));
    expect(both).toMatchObject({ code: "invalid_request", details: [{ path: "costMicros" }] });
  });

  test("a model without a price is never free, and is shown as unpriced", async () => {
    const { company, agent } = await staffed();
    const event = await report(company.id, agent.id, { provider: "own", model: "tiny", inputTokens: 1 });
    expect(event).toMatchObject({ costMicros: 3, priced: "default" });
    await report(company.id, agent.id, { costMicros: 100 });
    expect(await summary(company.id)).toMatchObject({ costMicros: 103, unpricedMicros: 3 });
  });

  test("by agent and by model, dearest first, in pages", async () => {
    const { company, agent: ada } = await staffed();
    const bo = await company.agent({ name: "Bo" });
    const idle = await company.agent({ name: "Idle" });
    await report(company.id, ada.id, { costCents: 1 });
    await report(company.id, bo.id, { costCents: 2, model: "claude-haiku-4-5" });
    await report(company.id, bo.id, { costCents: 3 });
    const params = { companyId: company.id };
    const first = await ground.board.costs.byAgent({ params, query: { limit: 1 } });
    expect(first.items).toMatchObject([{ agentId: bo.id, agentName: "Bo", costCents: 5, events: 2 }]);
    const second = await ground.board.costs.byAgent({ params, query: { limit: 1, cursor: first.next ?? "" } });
    expect(second.items).toMatchObject([{ agentId: ada.id, costCents: 1 }]);
    expect(second.next).toBeNull();
    expect(JSON.stringify([first.items, second.items])).not.toContain(idle.id);
    const models = await ground.board.costs.byModel({ params, query: {} });
    expect(models.items.map(({ model, costCents }) => [model, costCents])).toEqual([
      ["claude-sonnet-4-5", 4],
      ["claude-haiku-4-5", 2],
    ]);
    const long = ground.board.costs.byModel({ params, query: { from: "2020-01-01" } });
    expect((await refusalOf(long)).details[0]?.message).toContain("400 days");
    const past = await ground.board.costs.byModel({ params, query: { from: "2020-01-01", to: "2020-12-31" } });
    expect(past.items).toEqual([]);
  });

  test("a cost counts in the UTC month and day in which it arrives, whenever it occurred", async () => {
    const { company, agent } = await staffed();
    const occurredAt = "2001-02-03T04:05:06.000Z";
    const event = await report(company.id, agent.id, { costCents: 50, occurredAt });
    expect(event.occurredAt).toBe(occurredAt);
    expect((await agentNow(agent.id)).spentMonthlyCents).toBe(50);
    expect((await summary(company.id)).days.map(({ day }) => day)).toEqual([event.createdAt.slice(0, 10)]);
    expect((await summary(company.id, { from: "2001-02-01", to: "2001-02-28" })).costCents).toBe(0);
  });

  test("event, day and month are those of one moment, by the database's clock", async () => {
    const { company, agent } = await staffed();
    const { createdAt, occurredAt } = await report(company.id, agent.id, { costMicros: 7 });
    expect(occurredAt).toBe(createdAt);
    const months = await ground.sql<{ month: string; spent: string }[]>`
      select month, spent_micros as spent from spend where company_id = ${company.id}`;
    expect([...months]).toEqual(Array(2).fill({ month: createdAt.slice(0, 7), spent: "7" }));
    const [entry] = (await company.log()).filter(({ action }) => action === "cost.booked");
    expect(Date.parse(entry?.createdAt ?? "") - Date.parse(createdAt)).toBeGreaterThanOrEqual(0);
  });

  test("of many reports at once none is lost, and the sums agree", async () => {
    const { company, agent: ada } = await staffed();
    const bo = await company.agent({ name: "Bo" });
    const models = ["claude-sonnet-4-5", "claude-haiku-4-5", "tiny"];
    await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        report(company.id, n % 2 === 0 ? ada.id : bo.id, { model: models[n % 3] ?? "", costMicros: 10_000 }),
      ),
    );
    expect(await summary(company.id)).toMatchObject({ costCents: 24, events: 24 });
    expect((await agentNow(ada.id)).spentMonthlyCents).toBe(12);
    const params = { companyId: company.id };
    expect((await ground.board.companies.get({ params })).spentMonthlyCents).toBe(24);
    const { items } = await ground.board.costs.byModel({ params, query: {} });
    expect(items.map(({ costCents }) => costCents)).toEqual([8, 8, 8]);
  });

  test("an agent reports only its own; in a run, for the run and its issue", async () => {
    const { company, agent } = await staffed();
    const other = await company.agent({ name: "Bo" });
    const client = await ground.key(agent.id);
    const body = { provider: "anthropic", model: "claude-sonnet-4-5", costCents: 1 };
    const params = { companyId: company.id };
    const foreign = client.costs.report({ params, body: { ...body, agentId: other.id } });
    expect((await refusalOf(foreign)).code).toBe("forbidden");
    const issue = await company.issue({ assigneeAgentId: agent.id });
    const runner = await company.runner();
    const order = await runner.begin();
    expect(order.service[env("ISSUE_ID")]).toBe(issue.id);
    const inRun = ground.server.as(credentialOf(order));
    const event = await inRun.costs.report({ params, body: { ...body, agentId: agent.id } });
    expect(event).toMatchObject({ runId: order.runId, issueId: issue.id });
    const ofRun = await ground.board.costs.list({ params, query: { runId: order.runId } });
    expect(ofRun.items).toEqual([event]);
    const mixed = report(company.id, other.id, { runId: order.runId });
    expect(await refusalOf(mixed)).toMatchObject({ code: "unknown_reference", details: [{ path: "runId" }] });
    await runner.settle(order);
  });

  describe("what a run tells", () => {
    const usage = (offset: number, data: object) =>
      ({ kind: "usage", stream: "stdout", offset, length: 10, data: data as Record<string, never> }) as const;
    const told = { provider: "anthropic", model: "claude-sonnet-4-5" };

    test("is booked as it arrives, by model, priced or as reported; the run's cost is the sum", async () => {
      const { company, agent } = await staffed();
      const runner = await company.runner();
      await ground.wake(agent.id);
      const order = await runner.begin();
      await runner.tell(order, [
        usage(0, { ...told, inputTokens: 1000, outputTokens: 100 }),
        usage(10, { ...told, inputTokens: 1000, outputTokens: 100 }),
        usage(20, { ...told, costMicros: 500, inputTokens: 7 }),
      ]);
      expect((await agentNow(agent.id)).spentMonthlyCents).toBe(1);
      expect((await ground.run(order.runId)).usage).toMatchObject({ inputTokens: 2007, costCents: 1 });
      // Told again, it counts once.
      await runner.settle(order, {}, [
        usage(20, { ...told, costMicros: 500, inputTokens: 7 }),
        usage(30, { model: "tiny", outputTokens: 10 }),
      ]);
      const params = { companyId: company.id };
      const { items } = await ground.board.costs.list({ params, query: { runId: order.runId } });
      const seen = items.map(({ provider, model, priced, costMicros }) =>
        [provider, model, priced, costMicros].join(" "),
      );
      expect(seen.sort()).toEqual([
        "anthropic claude-sonnet-4-5 reported 500",
        "anthropic claude-sonnet-4-5 table 9000",
        "unknown tiny default 30",
      ]);
      expect((await ground.run(order.runId)).usage).toEqual({
        inputTokens: 2007,
        cachedInputTokens: 0,
        outputTokens: 210,
        costCents: 1,
      });
      expect((await agentNow(agent.id)).spentMonthlyCents).toBe(1);
      const entries = (await company.log()).filter(({ action }) => action === "cost.booked");
      expect(entries).toHaveLength(3);
      const ended = (await company.log()).find(({ action }) => action === "run.finished");
      for (const entry of entries) expect(entry.cause).toEqual(ended?.cause);
    });

    test("also when it is lost; a run that told nothing costs nothing", async () => {
      const { company, agent } = await staffed();
      const runner = await company.runner();
      await ground.wake(agent.id);
      const lost = await runner.begin();
      await runner.tell(lost, [usage(0, { ...told, costMicros: 20_000 })]);
      await ground.expire(lost.runId);
      await ground.reap();
      expect((await ground.run(lost.runId)).usage.costCents).toBe(2);
      const again = await runner.begin({ held: [] });
      await runner.settle(again);
      const { items } = await ground.board.costs.list({ params: { companyId: company.id }, query: {} });
      expect(items.map(({ runId, costCents }) => [runId, costCents])).toEqual([[lost.runId, 2]]);
    });

    test("whatever a program says it used, its run ends", async () => {
      const { company, agent } = await staffed();
      const runner = await company.runner();
      await ground.wake(agent.id);
      const order = await runner.begin();
      const odd = Array.from({ length: 60 }, (_, n) =>
        usage(n * 10, { model: `m${n}`, provider: "x", outputTokens: 1 }),
      );
      await runner.settle(order, {}, [
        ...odd,
        usage(600, { model: "", provider: 7, inputTokens: "many", outputTokens: -5, costMicros: null }),
        usage(610, { model: "m".repeat(5000), inputTokens: 9_007_199_254_740_991, cachedInputTokens: 0.5 }),
        usage(620, { costMicros: 9_007_199_254_740_991 }),
      ]);
      expect((await ground.run(order.runId)).status).toBe("succeeded");
      const { items } = await ground.board.costs.list({
        params: { companyId: company.id },
        query: { runId: order.runId, limit: 200 },
      });
      expect(items.length).toBeLessThanOrEqual(22);
      expect(items.reduce((sum, { outputTokens }) => sum + outputTokens, 0)).toBe(60);
      expect(items.some(({ model }) => model === "other")).toBe(true);
    });
  });

  describe("budgets", () => {
    test("a cost beyond the budget makes wakes wait, on demand it is 409; a raised budget lets them start", async () => {
      const company = await ground.company();
      const agent = await company.agent({ budgetMonthlyCents: 10 });
      await report(company.id, agent.id, { costCents: 10 });
      const demand = ground.board.runs.wakeup({ params: { agentId: agent.id }, body: {} });
      expect(await refusalOf(demand)).toMatchObject({ status: 409, code: "over_budget" });
      await company.issue({ assigneeAgentId: agent.id });
      const [waiting] = await company.runs();
      expect(waiting).toMatchObject({ status: "queued", waitingFor: "over_budget" });
      const runner = await company.runner();
      expect((await runner.claim()).orders).toEqual([]);
      await ground.board.agents.change({ params: { agentId: agent.id }, body: { budgetMonthlyCents: 11 } });
      expect((await runner.begin({ waitSec: 10 })).runId).toBe(waiting?.id);
    });

    test("a raised or lifted budget is told at once to those who wait for work", async () => {
      const { company, agent } = await staffed({ budgetMonthlyCents: 5 });
      const agentId = agent.id;
      const { board, sql } = ground;
      const { items } = await board.configurations.listRevisions({ params: { agentId } });
      await board.agents.change({ params: { agentId }, body: { budgetMonthlyCents: 10 } });
      const raises = [
        () => board.agents.change({ params: { agentId }, body: { budgetMonthlyCents: 11 } }),
        () => board.companies.change({ params: { companyId: company.id }, body: { budgetMonthlyCents: 6 } }),
        () => board.companies.change({ params: { companyId: company.id }, body: { budgetMonthlyCents: 0 } }),
        () => board.configurations.rollback({ params: { agentId, revisionId: items[0]?.id ?? "" } }),
      ];
      for (const raise of raises) {
        const told: { hear?: () => void } = {};
        const heard = new Promise<void>((resolve) => {
          told.hear = resolve;
        });
        const line = await sql.listen("roster_activity", (payload) => {
          if (payload.split(",").includes("queue")) told.hear?.();
        });
        await raise();
        await heard;
        await line.unlisten();
      }
    });

    test("so does the company's, whose limit is lifted", async () => {
      const company = await ground.company({ budgetMonthlyCents: 5 });
      const agent = await company.agent();
      await report(company.id, agent.id, { costCents: 6 });
      await company.issue({ assigneeAgentId: agent.id });
      const runner = await company.runner();
      expect((await runner.claim()).orders).toEqual([]);
      await ground.board.companies.change({ params: { companyId: company.id }, body: { budgetMonthlyCents: 0 } });
      const order = await runner.begin({ waitSec: 10 });
      expect(order.agentId).toBe(agent.id);
    });

    test("and an approved change of it; what the program of a run reports above it keeps the next run waiting", async () => {
      const company = await ground.company();
      const agent = await company.agent({ budgetMonthlyCents: 10 });
      const runner = await company.runner();
      await ground.wake(agent.id);
      const order = await runner.begin();
      await company.issue({ assigneeAgentId: agent.id });
      const data = { provider: "own", model: "one", costMicros: 150_000 };
      await runner.settle(order, {}, [{ kind: "usage", stream: "stdout", offset: 0, length: 1, data }]);
      expect((await runner.claim()).orders).toEqual([]);
      const approval = await ground.board.approvals.request({
        params: { companyId: company.id },
        body: { type: "config_change", payload: { agentId: agent.id, patch: { budgetMonthlyCents: 20 } } },
      });
      await ground.board.approvals.approve({ params: { approvalId: approval.id }, body: {} });
      expect((await runner.begin({ waitSec: 10 })).agentId).toBe(agent.id);
    });
  });
});
