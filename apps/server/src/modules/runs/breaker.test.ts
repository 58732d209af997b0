import type { Agent, CauseCode, RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

type Code = Exclude<CauseCode, "runner_lost" | "budget_exhausted">;

describe("an agent whose runs fail alike", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const alone = async (more: object = {}): Promise<Agent> => {
    company = await ground.company();
    runner = await company.runner();
    return company.agent(more);
  };
  const fail = async ({ id }: Agent, ...codes: Code[]): Promise<void> => {
    for (const code of codes) {
      const { id: issueId } = await company.issue();
      await ground.wake(id, { issueId });
      await runner.settle(await runner.begin(), { code, message: `It said ${code}.` });
      await ground.sql`update runs set not_before = clock_timestamp() + interval '1 hour'
        where agent_id = ${id} and status = 'queued'`;
    }
  };
  const state = async ({ id }: Agent) => {
    const { status, pauseReason } = await ground.board.agents.get({ params: { agentId: id } });
    return { status, pauseReason };
  };
  const tripped = { status: "paused", pauseReason: "breaker" };
  const calls = async () =>
    (await ground.board.attention.list({ params: { companyId: company.id } })).items.map(({ kind }) => kind);

  test("is paused at the third, which is in the log and calls for attention; resumed, it counts anew", async () => {
    const agent = await alone();
    await fail(agent, "agent_error", "agent_error");
    expect(await state(agent)).toEqual({ status: "idle", pauseReason: null });
    await fail(agent, "agent_error");
    expect(await state(agent)).toEqual(tripped);
    const { items } = await ground.board.attention.list({ params: { companyId: company.id } });
    expect(items).toMatchObject([
      {
        kind: "breaker",
        entityType: "agent",
        entityId: agent.id,
        message: "Ada is paused: its last 3 runs failed alike. It said agent_error. Mend that, then resume it.",
      },
    ]);
    expect((await company.log()).map(({ sentence }) => sentence)).toContain("Roster paused the agent Ada (breaker)");
    await ground.refused("agent_paused", () => ground.wake(agent.id));
    await ground.board.agents.resume({ params: { agentId: agent.id } });
    expect(await calls()).toEqual([]);
    await fail(agent, "agent_error", "agent_error");
    expect(await state(agent)).toMatchObject({ status: "idle" });
  });

  test("what can be given to it waits, and runs once it is resumed", async () => {
    const agent = await alone();
    await fail(agent, "timed_out", "timed_out", "timed_out");
    const { id: issueId } = await company.issue({ assigneeAgentId: agent.id });
    const [run] = await company.runs();
    expect(run).toMatchObject({ issueId, status: "queued", waitingFor: "agent_paused" });
    await ground.board.agents.resume({ params: { agentId: agent.id } });
    expect((await runner.take()).runId).toBe(run?.id);
  });

  test.each<[string, Code[], boolean]>([
    ["a good run between begins anew", ["agent_error", "agent_error", "ok", "agent_error", "agent_error"], false],
    ["another failure between begins anew", ["agent_error", "agent_error", "timed_out", "agent_error"], false],
    ["what is nobody's fault is passed over", ["output_limit", "rate_limited", "output_limit", "output_limit"], true],
    ["what is nobody's fault never counts", ["internal", "internal", "internal", "internal"], false],
    ["a configuration that cannot work counts too", ["auth_failed", "auth_failed", "auth_failed"], true],
    ["two kinds of it are two", ["auth_failed", "adapter_missing", "auth_failed"], false],
  ])("%s", async (_, codes, isTripped) => {
    const agent = await alone();
    await fail(agent, ...codes);
    expect((await state(agent)).pauseReason).toBe(isTripped ? "breaker" : null);
    expect((await calls()).includes("breaker")).toBe(isTripped);
  });

  test("its other runs are ended with it, and their failures trip nothing twice", async () => {
    const agent = await alone({ runtimeConfig: { maxConcurrentRuns: 4 } });
    const orders: RunOrder[] = [];
    for (let n = 0; n < 4; n += 1) {
      await ground.wake(agent.id, { issueId: (await company.issue()).id });
      orders.push(await runner.begin());
    }
    const [one, two, three, four] = orders;
    if (!one || !two || !three || !four) expect.fail("four were begun");
    for (const order of [one, two, three]) await runner.settle(order, { code: "agent_error" });
    expect(await state(agent)).toEqual(tripped);
    expect((await runner.extend(four)).end).toMatchObject([{ runId: four.runId, reason: "cancelled" }]);
    await runner.settle(four, { code: "agent_error" });
    expect(await ground.run(four.runId)).toMatchObject({ status: "cancelled" });
    expect(await calls()).toEqual(["breaker"]);
  });

  test("one in error of whose two runs one ends well is at work, and idle after the other", async () => {
    const agent = await alone({ runtimeConfig: { maxConcurrentRuns: 3 } });
    const orders: RunOrder[] = [];
    for (let n = 0; n < 3; n += 1) {
      await ground.wake(agent.id, { issueId: (await company.issue()).id });
      orders.push(await runner.begin());
    }
    const [bad, good, last] = orders;
    if (!bad || !good || !last) expect.fail("three were begun");
    await runner.settle(bad, { code: "adapter_missing" });
    expect((await state(agent)).status).toBe("error");
    await runner.settle(good);
    expect((await state(agent)).status).toBe("running");
    await runner.settle(last);
    expect((await state(agent)).status).toBe("idle");
  });

  test("an agent whose other run was handed out and never started rests again", async () => {
    const agent = await alone({ runtimeConfig: { maxConcurrentRuns: 2 } });
    await ground.wake(agent.id);
    const order = await runner.begin();
    await ground.wake(agent.id);
    const other = await (await company.runner()).take();
    await runner.settle(order);
    expect((await state(agent)).status).toBe("running");
    await ground.expire(other.runId);
    await ground.reap();
    expect((await state(agent)).status).toBe("idle");
  });
});
