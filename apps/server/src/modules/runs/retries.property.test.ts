import type { Run, RunOrder } from "@roster/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

/** After how many seconds a run that ended so is tried again, by its attempt and what the provider named; null: never. */
const again = {
  ok: () => null,
  agent_error: () => null,
  adapter_missing: () => null,
  adapter_misconfigured: () => null,
  auth_failed: () => null,
  timed_out: () => null,
  output_limit: () => null,
  cancelled: () => null,
  rate_limited: (attempt: number, named: number | null) => (attempt < 3 ? (named ?? 60) : null),
  runner_lost: (attempt: number) => (attempt < 3 ? 0 : null),
  budget_exhausted: (attempt: number) => (attempt < 3 ? 0 : null),
  internal: (attempt: number) => [5, 30][attempt - 1] ?? null,
  service_stop: () => 0,
} satisfies Record<string, (attempt: number, named: number | null) => number | null>;
type Code = keyof typeof again;

const codes = Object.keys(again) as readonly Code[];
const transient: readonly Code[] = ["rate_limited", "runner_lost", "budget_exhausted", "internal"];
const configuration: readonly Code[] = ["adapter_missing", "adapter_misconfigured", "auth_failed"];
const own: readonly Code[] = [...configuration, "agent_error", "timed_out", "output_limit"];
const mostFailures = 3;
const mostMs = 15_000;
const statuses: Partial<Record<Code, Run["status"]>> = {
  ok: "succeeded",
  timed_out: "timed_out",
  cancelled: "cancelled",
  service_stop: "cancelled",
  runner_lost: "lost",
};

const ending = fc.record({
  code: fc.constantFrom(...codes),
  named: fc.option(fc.integer({ min: 0, max: 7200 })),
  isStarted: fc.boolean(),
  isCancelled: fc.nat(5).map((n) => n === 0),
});
type Ending = typeof ending extends fc.Arbitrary<infer E> ? E : never;

/** The agent and its present run, as they are promised to be. */
interface Model {
  attempt: number;
  failure: { code: Code; count: number } | null;
  agent: "idle" | "error" | "paused";
  isGivenUp: boolean;
}

describe("what follows from an ending, one after another", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  let agentId: string;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const clock = async (): Promise<number> => {
    const [row] = await ground.sql<{ at: number }[]>`select extract(epoch from clock_timestamp())::float8 as at`;
    return row?.at ?? 0;
  };

  /** What the model says of the end of its run. Answers what it is, and when it is tried again. */
  function conclude(model: Model, { code: said, named, isCancelled }: Ending): { code: Code; afterSec: number | null } {
    const code = isCancelled && said !== "ok" ? "cancelled" : said;
    const afterSec = again[code](model.attempt, named);
    if (code === "ok") {
      Object.assign(model, { failure: null, isGivenUp: false });
      if (model.agent === "error") model.agent = "idle";
    }
    if (own.includes(code)) {
      model.failure = { code, count: model.failure?.code === code ? model.failure.count + 1 : 1 };
      if (configuration.includes(code)) model.agent = "error";
      if (model.failure.count >= mostFailures) model.agent = "paused";
    }
    if (transient.includes(code) && afterSec === null) model.isGivenUp = true;
    if (afterSec !== null && code !== "service_stop") model.attempt += 1;
    return { code, afterSec };
  }

  async function end(order: RunOrder, { code, named, isStarted, isCancelled }: Ending): Promise<void> {
    if (isStarted || code === "runner_lost") await runner.start(order);
    if (isCancelled) await ground.board.runs.cancel({ params: { runId: order.runId } });
    if (code === "runner_lost") {
      await ground.expire(order.runId);
      await ground.reap();
    } else await runner.settle(order, { code, exitCode: null, retryAfterSec: named });
  }

  /** The run that is tried again is the one whose turn it is, and not before. */
  async function expectRetry(
    lost: Run,
    { attempt, times }: { attempt: number; times: readonly number[] },
  ): Promise<void> {
    const [run] = await company.runs();
    expect(run).toMatchObject({ status: "queued", retryOf: lost.id, attempt, wakes: [{ reason: "First" }] });
    const [row] = await ground.sql<{ at: number | null }[]>`
      select extract(epoch from not_before)::float8 as at from runs where id = ${run?.id ?? ""}`;
    const [earliest = 0, latest = 0, now = 0] = times;
    if (earliest === now) expect(row?.at).toBeNull();
    else {
      // Stored in milliseconds.
      expect(row?.at).toBeGreaterThanOrEqual(earliest - 0.001);
      expect(row?.at).toBeLessThanOrEqual(latest + 0.001);
      const { orders } = await runner.claim();
      if ((await clock()) < earliest) expect(orders).toEqual([]);
      for (const order of orders) expect.fail(`${order.runId} was handed out while it waited`);
      await ground.sql`update runs set not_before = clock_timestamp() where id = ${run?.id ?? ""}`;
    }
  }

  async function expectAgent({ agent, isGivenUp }: Model): Promise<void> {
    expect(await ground.board.agents.get({ params: { agentId } })).toMatchObject({
      status: agent,
      pauseReason: agent === "paused" ? "breaker" : null,
    });
    const open = await ground.sql<{ kind: string }[]>`
      select kind from attention where company_id = ${company.id} and resolved_at is null`;
    expect(open.some(({ kind }) => kind === "given_up")).toBe(isGivenUp);
  }

  async function live(model: Model, one: Ending): Promise<void> {
    const order = await runner.take();
    const { attempt } = model;
    const before = await clock();
    await end(order, one);
    const after = await clock();
    const { code, afterSec } = conclude(model, one);
    const run = await ground.run(order.runId);
    const isAwaited = afterSec !== null && code !== "budget_exhausted";
    const askedOf = code === "ok" || code === "cancelled" ? "nobody" : "board";
    expect(run).toMatchObject({
      attempt,
      status: statuses[code] ?? "failed",
      cause: { code, nextActor: isAwaited ? "service" : askedOf },
      wakes: afterSec === null ? [{ reason: "First" }] : [],
    });
    if (afterSec === null) {
      expect((await company.runs())[0]?.id).toBe(order.runId);
      await expectAgent(model);
      if (model.agent === "paused") await ground.board.agents.resume({ params: { agentId } });
      if (model.agent === "paused") Object.assign(model, { agent: "idle", failure: null });
      model.attempt = 1;
      await ground.wake(agentId, { reason: "First" });
    } else {
      await expectRetry(run, { attempt: model.attempt, times: [before + afterSec, after + afterSec, before] });
      await expectAgent(model);
    }
  }

  test("P5: it is tried again as often, and after as long, as its cause says, with its wakes, by the same rule each time", async () => {
    // On a slow machine fewer are tried.
    const until = performance.now() + mostMs;
    await fc.assert(
      fc.asyncProperty(fc.array(ending, { minLength: 4, maxLength: 14, size: "max" }), async (endings) => {
        if (performance.now() > until) return;
        company = await ground.company();
        runner = await company.runner();
        agentId = (await company.agent()).id;
        await ground.wake(agentId, { reason: "First" });
        const model: Model = { attempt: 1, failure: null, agent: "idle", isGivenUp: false };
        for (const one of endings) await live(model, one);
      }),
      { seed: 11, numRuns: 40, endOnFailure: true },
    );
  }, 120_000);
});
