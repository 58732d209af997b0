import { Refused } from "@roster/client";
import type { RunOrder } from "@roster/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judging } from "../src/interface.ts";
import { judgeBudgets } from "../src/modules/budget-overrides/index.ts";
import { type BudgetWatch, watchBudgets } from "./budget-watch.ts";
import { scopeIn } from "./module-door.ts";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "./run-ground.ts";
import type { TestServer } from "./test-server.ts";

const micros = (cents: number): number => cents * 10_000;
const usage = (offset: number, costCents: number) =>
  ({
    kind: "usage",
    stream: "stdout",
    offset,
    length: 1,
    data: { provider: "own", model: "one", costMicros: micros(costCents) },
  }) as const;

describe("money in a storm, on two servers", () => {
  let ground: RunGround;
  let other: TestServer;
  let watch: BudgetWatch;
  beforeAll(async () => {
    ground = await startRunGround();
    other = await ground.sibling();
    watch = await watchBudgets(ground.sql);
  });
  afterAll(() => ground.close());

  test("P8: 20 agents with 200 queued runs never commit more than their company may spend", async () => {
    const company = await ground.company({ budgetMonthlyCents: 300 });
    const runtimeConfig = { maxConcurrentRuns: 10, maxRunCostCents: 20 };
    const agents = await Promise.all(
      Array.from({ length: 20 }, (_, n) => company.agent({ name: `Agent ${n}`, runtimeConfig })),
    );
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => company.issue({ assigneeAgentId: agents[n % 20]?.id ?? "" })),
    );
    const runners = await Promise.all([company.runner("One"), company.runner("Two"), company.runner("Three")]);
    const sides = runners.map((runner, n) => runner.at(n % 2 === 0 ? ground.server : other));
    let most = 0;
    let done = 0;
    for (let isMore = true; isMore; ) {
      const tidings = await Promise.all(sides.map((side) => side.claim({ capacity: 40, held: [] })));
      const [row] = await ground.sql<{ runs: number }[]>`
        select count(*)::int as runs from leases where company_id = ${company.id}`;
      most = Math.max(most, row?.runs ?? 0);
      await Promise.all(
        tidings.flatMap(({ orders }, n) => orders.map((order) => sides[n]?.settle(order, {}, [usage(0, 9)]))),
      );
      const settled = tidings.reduce((sum, { orders }) => sum + orders.length, 0);
      done += settled;
      isMore = settled > 0;
    }
    expect(await watch.broken()).toEqual([]);
    expect(most).toBe(15);
    // A run is started as long as there is room for what it may cost.
    expect(done).toBe(Math.floor((300 - 20) / 9) + 1);
    const { spentMonthlyCents } = await ground.board.companies.get({ params: { companyId: company.id } });
    expect(spentMonthlyCents).toBe(done * 9);
    const waiting = (await company.runs()).filter(({ status }) => status === "queued");
    expect(waiting.every(({ waitingFor }) => waitingFor === "over_budget")).toBe(true);
  });

  interface World {
    readonly company: TestCompany;
    readonly agentIds: readonly string[];
    readonly sides: readonly TestRunner[];
    /** Runs under way, by who has them; a runner ends what it is told to. */
    readonly under: { readonly order: RunOrder; readonly by: TestRunner; told: number }[];
    months: number;
    /** What each run was told to have used at once, in cents, and the most of that. */
    atOnce: Map<string, number>;
    readonly most: Map<string, number>;
  }

  /** Notes that the n-th run under way has used so much; none, where none is. */
  function note({ under, atOnce, most }: World, n: number, costCents: number): World["under"][number] | undefined {
    const one = under[n % under.length];
    if (one === undefined) return undefined;
    const { runId } = one.order;
    const sum = (atOnce.get(runId) ?? 0) + costCents;
    atOnce.set(runId, sum);
    most.set(runId, Math.max(sum, most.get(runId) ?? 0));
    return one;
  }

  const cents = fc.integer({ min: 0, max: 40 });
  const nth = fc.nat(30);
  /** What can happen; several at once. */
  const event = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("work" as const), nth }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("claim" as const), nth }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("tell" as const), nth, cents }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("report" as const), nth, cents }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("settle" as const), nth, cents }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose" as const), nth }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("limit" as const), nth, cents: fc.integer({ min: 0, max: 200 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("month" as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("judge" as const), nth }) },
  );
  type Happening = typeof event extends fc.Arbitrary<infer E> ? E : never;

  const at = (n: number): TestServer => (n % 2 === 0 ? ground.server : other);
  const deeds: { [K in Happening["kind"]]: (world: World, what: Extract<Happening, { kind: K }>) => Promise<unknown> } =
    {
      work: ({ company, agentIds }, { nth: n }) =>
        company.issue({ assigneeAgentId: agentIds[n % agentIds.length] ?? "" }),
      claim: async ({ sides, under }, { nth: n }) => {
        const by = sides[n % sides.length];
        if (by === undefined) return;
        const { orders } = await by.claim({
          capacity: 3,
          held: under.map(({ order }) => order).map(({ runId, epoch }) => ({ runId, epoch })),
        });
        under.push(...orders.map((order) => ({ order, by, told: 0 })));
      },
      tell: async (world, { nth: n, cents: costCents }) => {
        const one = note(world, n, costCents);
        if (one === undefined) return;
        one.told += 1;
        const event = usage(one.told, costCents);
        await Promise.all([one.by.tell(one.order, [event]), one.by.at(at(n)).tell(one.order, [event])]);
        await endIfTold(world, one);
      },
      report: async (world, { nth: n, cents: costCents }) => {
        const one = note(world, n, costCents);
        if (one === undefined) return;
        const { runId, agentId } = one.order;
        const body = { agentId, runId, provider: "own", model: "two", costCents };
        await at(n).board.costs.report({ params: { companyId: world.company.id }, body });
        await endIfTold(world, one);
      },
      settle: async (world, { nth: n, cents: costCents }) => {
        const one = note(world, n, costCents);
        if (one !== undefined) await settle(world, one, costCents === 0 ? [] : [usage(one.told + 1, costCents)]);
      },
      lose: async ({ under }, { nth: n }) => {
        const [one] = under.splice(n % Math.max(under.length, 1), 1);
        if (one === undefined) return;
        await ground.expire(one.order.runId);
        await Promise.all([ground.reap(), ground.reap(other, false)]);
      },
      limit: async ({ company, agentIds }, { nth: n, cents: budgetMonthlyCents }) => {
        const agentId = agentIds[n];
        await (agentId === undefined
          ? at(n).board.companies.change({ params: { companyId: company.id }, body: { budgetMonthlyCents } })
          : at(n).board.agents.change({ params: { agentId }, body: { budgetMonthlyCents } }));
      },
      month: async (world) => {
        world.months += 1;
        const past = `past-${world.months}`;
        await ground.sql`update spend set month = ${past} where company_id = ${world.company.id} and month not like 'past-%'`;
      },
      judge: async (_, { nth: n }) => {
        const { database } = at(n);
        const scope = scopeIn(at(n), "", { kind: "system" });
        await judgeBudgets({ database, notifier: { notify: () => undefined } }, scope, judging);
      },
    };

  /** What a runner does that hears of it. */
  async function endIfTold(world: World, one: World["under"][number]): Promise<void> {
    const { end } = await one.by.extend(one.order);
    if (end.length > 0) await settle(world, one, []);
  }

  async function settle(
    { under }: World,
    one: World["under"][number],
    events: ReturnType<typeof usage>[],
  ): Promise<void> {
    const index = under.indexOf(one);
    if (index < 0) return;
    under.splice(index, 1);
    await one.by.start(one.order);
    await one.by.settle(one.order, {}, events);
  }

  async function happen(world: World, what: Happening): Promise<void> {
    // What came at the same time may have been first: a run that is over, an agent that is paused.
    await (deeds[what.kind] as (world: World, what: Happening) => Promise<unknown>)(world, what).catch(
      (error: unknown) => {
        if (!(error instanceof Refused) || error.status >= 500) throw error;
      },
    );
  }

  /** Three issues for each of them. */
  const assign = (company: TestCompany, agentIds: readonly string[]) =>
    Promise.all(agentIds.flatMap((assigneeAgentId) => [1, 2, 3].map(() => company.issue({ assigneeAgentId }))));

  /** Three runs of each agent, so that what the next ones hold is little, and has to be extended. */
  async function workOff(company: TestCompany, runner: TestRunner, agentIds: readonly string[]): Promise<void> {
    await assign(company, agentIds);
    const { orders } = await runner.claim({ capacity: 20 });
    await Promise.all(orders.map((order) => runner.settle(order, {}, [usage(0, 1)])));
  }

  const limit = fc.oneof(fc.constant(0), fc.integer({ min: 20, max: 200 }));
  const setting = fc.record({
    company: limit,
    agents: fc.array(fc.record({ budget: limit, most: fc.option(fc.integer({ min: 5, max: 50 })) }), {
      minLength: 2,
      maxLength: 3,
    }),
    batches: fc.array(fc.array(event, { minLength: 1, maxLength: 4 }), { minLength: 10, maxLength: 25 }),
  });

  test("P8: whatever happens at once, nothing is promised that is not there; above it comes only what was reported after the fact", async () => {
    await fc.assert(
      fc.asyncProperty(setting, async ({ company: budgetMonthlyCents, agents, batches }) => {
        const company = await ground.company();
        const agentIds: string[] = [];
        for (const [n, { most }] of agents.entries()) {
          const runtimeConfig = { maxConcurrentRuns: 3, ...(most !== null && { maxRunCostCents: most }) };
          agentIds.push((await company.agent({ name: `Agent ${n}`, runtimeConfig })).id);
        }
        const runner = await company.runner();
        const sides = [runner, (await company.runner("Other")).at(other)];
        const world: World = { company, agentIds, sides, under: [], months: 0, atOnce: new Map(), most: new Map() };
        await workOff(company, runner, agentIds);
        for (const [n, { budget }] of agents.entries()) {
          await ground.board.agents.change({
            params: { agentId: agentIds[n] ?? "" },
            body: { budgetMonthlyCents: budget },
          });
        }
        await ground.board.companies.change({ params: { companyId: company.id }, body: { budgetMonthlyCents } });
        await assign(company, agentIds);
        for (const batch of batches) {
          world.atOnce = new Map();
          await Promise.all(batch.map((what) => happen(world, what)));
        }
        expect(await watch.broken()).toEqual([]);
        await expectSums(company.id);
        const overshoots = [...(await watch.overshoots())].filter(([runId]) => world.most.has(runId));
        for (const [runId, over] of overshoots) expect(over).toBeLessThanOrEqual(world.most.get(runId) ?? 0);
      }),
      { seed: 8, numRuns: 12, interruptAfterTimeLimit: 15_000, endOnFailure: true },
    );
  }, 60_000);

  /** What holders have spent is what was booked. */
  async function expectSums(companyId: string): Promise<void> {
    const sums = await ground.sql`
      select s.holder_id from spend s where s.company_id = ${companyId} group by s.holder_id
      having sum(s.spent_micros) <> (select coalesce(sum(e.cost_micros), 0) from cost_events e
        where e.company_id = ${companyId} and s.holder_id in (e.company_id, e.agent_id))`;
    expect([...sums]).toEqual([]);
  }
});
