import type { RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";
import { forgetOldSessions } from "./index.ts";

describe("sessions", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
    company = await ground.company();
    runner = await company.runner();
  });
  afterAll(() => ground.close());

  type Json = NonNullable<RunOrder["session"]>;
  const told = (data: Json, offset = 0) => ({ kind: "session", stream: "stdout", offset, length: 1, data }) as const;

  /** An agent with an issue of its own, and a way to let it run once. */
  async function worker(adapterConfig: Record<string, Json[string]> = {}) {
    const agent = await company.agent({ adapterConfig: { command: "true", ...adapterConfig } });
    const { id: issueId } = await company.issue();
    const begin = async (by = runner): Promise<RunOrder> => {
      await ground.wake(agent.id, { issueId });
      return by.begin();
    };
    const run = async (data: Json | null, by = runner, code: "ok" | "agent_error" = "ok"): Promise<RunOrder> => {
      const order = await begin(by);
      await by.settle(order, { code }, data === null ? [] : [told(data)]);
      return order;
    };
    return { agentId: agent.id, issueId, begin, run };
  }

  test("the last one of a run is handed to the next run on the same issue, with all its data", async () => {
    const { begin, run } = await worker();
    expect((await run({ id: "first" })).session).toBeNull();
    const order = await begin();
    expect(order.session).toEqual({ id: "first" });
    await runner.tell(order, [told({ id: "first", inputTokens: 5 }), told({ id: "first", inputTokens: 9 }, 1)]);
    await runner.settle(order);
    const next = await begin();
    expect(next.session).toEqual({ id: "first", inputTokens: 9 });
    const { order: again } = await runner.client.runners.order({
      params: { runId: next.runId },
      query: { epoch: next.epoch },
    });
    expect(again).toEqual(next);
    await runner.settle(next, {}, [told({ id: "second" })]);
    expect((await run({ id: "second" })).session).toEqual({ id: "second" });
  });

  test("belongs to one agent and one issue; a run about no issue has none", async () => {
    const one = await worker();
    const other = await worker();
    await one.run({ id: "one" });
    expect((await other.run({ id: "other" })).session).toBeNull();
    for (const _ of [1, 2]) {
      await ground.wake(one.agentId);
      const order = await runner.begin();
      expect(order.session).toBeNull();
      await runner.settle(order, {}, [told({ id: "loose" })]);
    }
    expect((await one.run({ id: "one" })).session).toEqual({ id: "one" });
  });

  test("is dropped when the configuration changes, and on another runner", async () => {
    const { agentId, run } = await worker();
    await run({ id: "before" });
    await ground.board.agents.change({ params: { agentId }, body: { adapterConfig: { cwd: "/srv/elsewhere" } } });
    expect((await run({ id: "after" })).session).toBeNull();
    const elsewhere = await company.runner("Elsewhere");
    expect((await run({ id: "there" }, elsewhere)).session).toBeNull();
    expect((await run({ id: "here" })).session).toBeNull();
    expect((await run({ id: "here" })).session).toEqual({ id: "here" });
  });

  test("is dropped when a program does not confirm it, or fails with it; a run that never started drops nothing", async () => {
    const { begin, run } = await worker();
    await run({ id: "lost" });
    expect((await run(null)).session).toEqual({ id: "lost" });
    expect((await run({ id: "broken" })).session).toBeNull();
    expect((await run({ id: "broken" }, runner, "agent_error")).session).toEqual({ id: "broken" });
    expect((await run({ id: "kept" }, runner, "agent_error")).session).toBeNull();
    await begin().then((order) =>
      runner.settle(order, { code: "rate_limited", retryAfterSec: 0 }, [told({ id: "kept" })]),
    );
    const retry = await runner.take();
    expect(retry.session).toEqual({ id: "kept" });
    await runner.settle(retry, { code: "cancelled" });
    expect((await run({ id: "kept" })).session).toEqual({ id: "kept" });
  });

  test("is not gone on with after so many runs, after 7 days, nor where the settings forbid it", async () => {
    const few = await worker({ maxSessionRuns: 2 });
    const handed: unknown[] = [];
    for (let n = 0; n < 4; n += 1) handed.push((await few.run({ id: n < 2 ? "a" : "b" })).session);
    expect(handed).toEqual([null, { id: "a" }, null, { id: "b" }]);

    const old = await worker();
    const age = (days: number) => ground.sql`
      update agent_sessions set used_at = used_at - make_interval(days => ${days}) where agent_id = ${old.agentId}`;
    await old.run({ id: "old" });
    await age(6);
    expect((await old.run({ id: "old" })).session).toEqual({ id: "old" });
    await age(7);
    const late = await old.begin();
    expect(late.session).toBeNull();
    await runner.settle(late);
    await forgetOldSessions(ground.server.database);
    expect(await ground.sql`select from agent_sessions where agent_id = ${old.agentId}`).toHaveLength(0);
    expect((await ground.sql`select from agent_sessions`).length).toBeGreaterThan(0);

    const never = await worker({ resumeSession: false });
    await never.run({ id: "never" });
    expect((await never.run({ id: "never" })).session).toBeNull();
  });

  test("whose data is longer than any name of a conversation is not kept", async () => {
    const { run } = await worker();
    await run({ id: "x".repeat(5000) });
    expect((await run(null)).session).toBeNull();
  });
});
