import type { Agent } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

describe("claiming", () => {
  let ground: RunGround;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  /** Wakes the agent for so many issues, all to run at once. */
  const queue = async (company: TestCompany, agent: Agent, count: number): Promise<string[]> => {
    const woken = await Promise.all(
      Array.from({ length: count }, async () => {
        const issue = await company.issue();
        return ground.wake(agent.id, { issueId: issue.id });
      }),
    );
    return woken.map(({ id }) => id);
  };
  const idsOf = (orders: readonly { runId: string }[]): string[] => orders.map(({ runId }) => runId);
  const age = (runId: string, hours: number) => ground.sql`
    update runs set created_at = created_at - make_interval(hours => ${hours}) where id = ${runId}`;
  const concurrent = (most: number) => ({ runtimeConfig: { maxConcurrentRuns: most } });

  /** Takes and settles until there is nothing left to take. */
  async function workOff(runner: TestRunner): Promise<void> {
    for (let empty = 0; empty < 3; ) {
      const { orders } = await runner.claim({ capacity: 4, waitSec: 0.05 });
      empty = orders.length === 0 ? empty + 1 : 0;
      await Promise.all(orders.map((order) => runner.start(order)));
      for (const order of orders) await runner.settle(order);
    }
  }

  test("an agent never has two runs of one issue under way, however many it may have; the other waits for it", async () => {
    const company = await ground.company();
    const agent = await company.agent(concurrent(3));
    const runner = await company.runner();
    const issue = await company.issue();
    const { id: first } = await ground.wake(agent.id, { issueId: issue.id });
    const order = await runner.begin();
    expect(order.runId).toBe(first);
    const { id: second } = await ground.wake(agent.id, { issueId: issue.id });
    const { id: other } = await ground.wake(agent.id);
    expect(idsOf((await runner.claim({ capacity: 3 })).orders)).toEqual([other]);
    expect(await ground.run(second)).toMatchObject({ status: "queued", waitingFor: "concurrency" });
    await runner.settle(order);
    expect(idsOf((await runner.claim({ capacity: 3 })).orders)).toEqual([second]);
  });

  test("however many claim at once, on two servers, an agent never has more runs under way than it may, and each run is handed out once", async () => {
    const company = await ground.company();
    const sibling = await ground.sibling();
    const one = await company.agent({ name: "One" });
    const three = await company.agent({ name: "Three", ...concurrent(3) });
    const queued = [...(await queue(company, one, 10)), ...(await queue(company, three, 15))];
    const here = await company.runner("Here");
    const there = await company.runner("There");
    const first = await Promise.all([here, there, here.at(sibling), there.at(sibling)].map((runner) => runner.claim()));
    expect(first.flatMap(({ orders }) => orders).length).toBeGreaterThan(0);
    await Promise.all(
      [here, there].map(async (runner) => {
        const { orders } = await runner.claim({ capacity: 0, held: [] });
        for (const order of orders) await runner.settle(order);
      }),
    );
    await Promise.all([here, there.at(sibling)].map(workOff));
    const entries = await company.log();
    const under = new Map<unknown, number>();
    const most = new Map<unknown, number>();
    for (const { action, details } of entries) {
      const step = { "run.claimed": 1, "run.finished": -1 }[action] ?? 0;
      const count = (under.get(details["agentId"]) ?? 0) + step;
      under.set(details["agentId"], count);
      most.set(details["agentId"], Math.max(most.get(details["agentId"]) ?? 0, count));
    }
    expect(most.get(one.id)).toBe(1);
    expect(most.get(three.id)).toBe(3);
    const claimed = entries.filter(({ action }) => action === "run.claimed").map(({ entityId }) => entityId);
    expect(claimed.sort()).toEqual(queued.sort());
  });

  test("a company with fifty queued does not delay another's first, however few are claimed at once", async () => {
    const busy = await ground.company();
    const small = await ground.company();
    await queue(busy, await busy.agent(concurrent(100)), 50);
    const late = await ground.wake((await small.agent()).id);
    await age(late.id, -1);
    const together = await ground.runner([busy.id, small.id]);
    const { orders } = await together.claim({ capacity: 2 });
    expect(idsOf(orders)).toContain(late.id);
    await Promise.all(orders.map((order) => together.settle(order)));

    const next = await ground.wake((await small.agent()).id);
    const alone = await ground.runner([busy.id, small.id]);
    const taken: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const order = await alone.take();
      taken.push(order.runId);
      await alone.settle(order);
    }
    expect(taken).toContain(next.id);
  });

  test("an agent that may not have more runs does not hold up the others of its company, however many wait for it", async () => {
    const company = await ground.company();
    const busy = await ground.company();
    const runner = await ground.runner([company.id, busy.id]);
    await queue(company, await company.agent(), 20);
    await runner.take();
    const waiting = await ground.wake((await company.agent()).id);
    await queue(busy, await busy.agent(concurrent(100)), 10);
    const { orders } = await runner.claim({ capacity: 2 });
    expect(idsOf(orders)).toContain(waiting.id);
  });

  test("an agent that is over its budget does not hold up the others", async () => {
    const company = await ground.company();
    const poor = await company.agent({ budgetMonthlyCents: 100, ...concurrent(100) });
    await queue(company, poor, 30);
    await ground.sql`
      insert into spend (company_id, holder_id, month, spent_micros)
      values (${company.id}, ${poor.id}, to_char(now() at time zone 'UTC', 'YYYY-MM'), 1000000)`;
    const { id } = await ground.wake((await company.agent()).id);
    expect((await (await company.runner()).take()).runId).toBe(id);
  });

  test("the more urgent is taken first, then the older; what waits for long becomes more urgent, so that it is taken before what is critical", async () => {
    const company = await ground.company();
    const { id: assigneeAgentId } = await company.agent(concurrent(100));
    for (const priority of ["low", "medium", "critical", "high", "critical"] as const) {
      await company.issue({ priority, assigneeAgentId });
    }
    const [last, high, critical, medium, low] = (await company.runs()).map(({ id }) => id);
    const runner = await company.runner();
    const { orders } = await runner.claim({ capacity: 2 });
    expect(idsOf(orders)).toEqual([critical, last]);
    await age(low ?? "", 2);
    const { id: issueId } = await company.issue({ priority: "critical", assigneeAgentId });
    expect((await ground.run((await runner.take()).runId)).issueId).toBe(issueId);
    await company.issue({ priority: "critical", assigneeAgentId });
    await age(low ?? "", 1);
    const next = await runner.claim({ capacity: 4 });
    expect(idsOf(next.orders).filter((id) => [low, high, medium].includes(id))).toEqual([low, high, medium]);
    expect(next.orders[0]?.runId).toBe(low);
  });

  test("a runner takes the runs whose labels it carries, all of them; what asks for none is for every runner", async () => {
    const company = await ground.company();
    const labelled = (labels: string[]) => company.agent({ adapterConfig: { command: "true", runner: { labels } } });
    const plain = await ground.wake((await company.agent()).id);
    const gpu = await ground.wake((await labelled(["gpu"])).id);
    const both = await ground.wake((await labelled(["gpu", "big"])).id);
    const take = async (labels: string[]): Promise<string[]> => {
      const { orders } = await (await company.runner()).claim({ capacity: 10, labels });
      return idsOf(orders);
    };
    expect(await take(["other"])).toEqual([plain.id]);
    expect(await take(["gpu"])).toEqual([gpu.id]);
    expect(await take(["gpu"])).toEqual([]);
    expect(await take(["big", "gpu", "other"])).toEqual([both.id]);
  });

  test("a runner of some companies is handed no other's runs, and knows no other's", async () => {
    const own = await ground.company();
    const other = await ground.company();
    const foreign = await ground.wake((await other.agent()).id);
    const { id } = await ground.wake((await own.agent()).id);
    const runner = await own.runner();
    expect(idsOf((await runner.claim({ capacity: 10 })).orders)).toEqual([id]);
    const claim = { runId: foreign.id, epoch: 1 };
    await ground.refused("other_company", () => runner.start(claim));
    const order = await (await other.runner()).take();
    await ground.refused("other_company", () => runner.settle(order));
    await ground.refused("other_company", () =>
      runner.tell(order, [{ kind: "output", stream: "stdout", offset: 0, length: 1, text: "x" }]),
    );
    expect(await runner.extend(order)).toEqual({ end: [], forget: [{ runId: foreign.id, epoch: 1 }] });
  });

  test("a runner is handed no more than it can take, counting what was handed to it and did not arrive", async () => {
    const company = await ground.company();
    await queue(company, await company.agent(concurrent(10)), 6);
    const runner = await company.runner();
    expect((await runner.claim({ capacity: 0 })).orders).toEqual([]);
    const { orders } = await runner.claim({ capacity: 2 });
    expect(orders).toHaveLength(2);
    const lost = await runner.claim({ capacity: 3 });
    const again = await runner.claim({ capacity: 3, held: orders.map(({ runId, epoch }) => ({ runId, epoch })) });
    expect(lost.orders).toHaveLength(3);
    const byId = (one: { runId: string }, other: { runId: string }): number => (one.runId < other.runId ? -1 : 1);
    expect([...again.orders].sort(byId)).toEqual([...lost.orders].sort(byId));
  });

  test("an answer that was lost is given again, the same to the last letter, also by another server and once it was started", async () => {
    const company = await ground.company();
    const agent = await company.agent();
    const runner = await company.runner();
    await ground.wake(agent.id);
    const order = await runner.take();
    const entries = (await company.log()).length;
    const again = await runner.claim({ held: [] });
    expect(again).toEqual({ orders: [order], end: [], forget: [], checks: [] });
    await runner.start(order);
    const sibling = await ground.sibling();
    const elsewhere = await runner.at(sibling).take({ held: [] });
    expect({ ...elsewhere, service: null }).toEqual({ ...order, service: null });
    expect(elsewhere.secrets).toEqual(order.secrets);
    expect((await company.log()).length).toBe(entries + 1);
    expect((await (await company.runner()).claim({ held: [] })).orders).toEqual([]);
  });

  test("what is paused, company or agent, is not handed out; once it is resumed it is", async () => {
    const company = await ground.company();
    const agent = await company.agent();
    const runner = await company.runner();
    const { id } = await ground.wake(agent.id);
    const { agents, companies } = ground.board;
    const nothing = async (): Promise<void> => expect((await runner.claim()).orders).toEqual([]);
    await agents.pause({ params: { agentId: agent.id } });
    await nothing();
    await companies.pause({ params: { companyId: company.id } });
    await agents.resume({ params: { agentId: agent.id } });
    await nothing();
    await companies.resume({ params: { companyId: company.id } });
    expect((await runner.take()).runId).toBe(id);
  });

  test("a claim and the start are in the log with what led to the run", async () => {
    const company = await ground.company();
    const runner = await company.runner("Cellar");
    await ground.wake((await company.agent({ name: "Ada" })).id);
    const order = await runner.begin();
    const [claimed, started] = (await company.log()).slice(-2);
    expect(claimed).toMatchObject({
      action: "run.claimed",
      entityId: order.runId,
      actor: { kind: "system" },
      sentence: expect.stringContaining("handed a run of Ada to the runner Cellar"),
      details: { runnerId: runner.id, attempt: 1 },
    });
    expect(started).toMatchObject({ action: "run.started", cause: claimed?.cause });
    expect(await ground.run(order.runId)).toMatchObject({
      status: "running",
      runnerId: runner.id,
      revision: { number: 1 },
      claimedAt: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: null,
    });
  });
});
