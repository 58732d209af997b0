import { type Contract, longestClaimWaitSec, type Resource } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
  type Tidings,
} from "../../../test/run-ground.ts";
import type { TestServer } from "../../../test/test-server.ts";

describe("waiting for work", () => {
  let ground: RunGround;
  let other: TestServer;
  let company: TestCompany;
  beforeAll(async () => {
    ground = await startRunGround();
    other = await ground.sibling();
    company = await ground.company();
  });
  afterAll(() => ground.close());

  const nothing: Tidings = { orders: [], end: [], forget: [], checks: [] };
  /** Begins to wait; resolves when the server knows of it. */
  async function wait(runner: TestRunner, asked: object = {}): Promise<{ answer: Promise<Tidings> }> {
    await ground.sql`update runner_sightings set seen_at = seen_at - interval '1 hour' where runner_id = ${runner.id}`;
    const answer = runner.claim({ waitSec: longestClaimWaitSec, ...asked });
    await vi.waitFor(async () => {
      const seen = await ground.sql`
        select 1 from runner_sightings
        where runner_id = ${runner.id} and seen_at > clock_timestamp() - interval '30 minutes'`;
      expect(seen).toHaveLength(1);
    });
    return { answer };
  }

  test("a claim that waits is answered when a run is queued, on whichever server", async () => {
    const agent = await company.agent();
    const runner = await company.runner();
    for (const [claimer, { board }] of [
      [runner, ground.server],
      [runner.at(other), ground.server],
      [runner, other],
    ] as const) {
      const { answer } = await wait(claimer);
      const { run } = await board.runs.wakeup({ params: { agentId: agent.id }, body: {} });
      const { orders } = await answer;
      expect(orders.map(({ runId }) => runId)).toEqual([run?.id]);
      for (const order of orders) await runner.settle(order);
    }
  });

  test("of several who wait one is handed the run, and the others go on waiting", async () => {
    const agent = await company.agent();
    const runners = await Promise.all([company.runner(), company.runner(), company.runner()]);
    const waiting = await Promise.all(
      runners.map((runner, n) => wait(n % 2 ? runner.at(other) : runner, { waitSec: 2 })),
    );
    const { id } = await ground.wake(agent.id);
    const answers = await Promise.all(waiting.map(({ answer }) => answer));
    expect(answers.flatMap(({ orders }) => orders).map(({ runId }) => runId)).toEqual([id]);
    expect(answers.filter(({ orders }) => orders.length === 0)).toEqual([nothing, nothing]);
  });

  test("with nothing to tell the answer is empty once it has waited so long as it was asked to, at most 25 seconds", async () => {
    const runner = await company.runner();
    expect(await runner.claim({ waitSec: 0 })).toEqual(nothing);
    expect(await runner.claim({ waitSec: 0.1 })).toEqual(nothing);
    await expect(runner.claim({ waitSec: longestClaimWaitSec + 1 })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("what becomes free by a settlement is handed to who waits", async () => {
    const agent = await company.agent();
    const runner = await company.runner();
    await ground.wake(agent.id);
    const order = await runner.begin();
    const next = await ground.wake(agent.id);
    const { answer } = await wait(await company.runner());
    await runner.settle(order);
    expect((await answer).orders.map(({ runId }) => runId)).toEqual([next.id]);
  });

  test("what is resumed, agent or company, is handed to who waits", async () => {
    const own = await ground.company();
    const agent = await own.agent();
    const runner = await own.runner();
    const { agents, companies } = ground.board;
    await ground.wake(agent.id);
    await agents.pause({ params: { agentId: agent.id } });
    const first = await wait(runner);
    await agents.resume({ params: { agentId: agent.id } });
    const [order] = (await first.answer).orders;
    await runner.settle(order ?? expect.fail("no order"));
    await ground.wake(agent.id);
    await companies.pause({ params: { companyId: own.id } });
    const second = await wait(runner);
    await companies.resume({ params: { companyId: own.id } });
    expect((await second.answer).orders).toHaveLength(1);
  });

  test("a cancellation is told to who waits with the run in hand, on whichever server, and only once it says that it ends it", async () => {
    const agent = await company.agent();
    const runner = await company.runner();
    for (const claimer of [runner, runner.at(other)]) {
      await ground.wake(agent.id);
      const order = await runner.begin();
      const { runId, epoch } = order;
      const { answer } = await wait(claimer, { held: [{ runId, epoch }] });
      await ground.board.runs.cancel({ params: { runId } });
      expect(await answer).toEqual({ ...nothing, end: [{ runId, epoch, reason: "cancelled" }] });
      expect(await claimer.claim({ held: [{ runId, epoch }] })).toMatchObject({ end: [{ runId }] });
      expect(await claimer.claim({ held: [{ runId, epoch, ending: true }] })).toEqual(nothing);
      await runner.settle(order, { code: "cancelled" });
    }
  });

  test("what was taken from a runner it is told at its next word, claim or extension: forget it", async () => {
    const agent = await company.agent();
    const runner = await company.runner();
    await ground.wake(agent.id);
    const { runId, epoch } = await runner.begin();
    await ground.board.agents.terminate({ params: { agentId: agent.id } });
    const { answer } = await wait(runner, { held: [{ runId, epoch }] });
    expect(await answer).toEqual({ ...nothing, forget: [{ runId, epoch }] });
    expect(await runner.extend({ runId, epoch })).toEqual({ end: [], forget: [{ runId, epoch }] });
  });

  test("what a runner settles while it waits is no news to it", async () => {
    const agent = await company.agent();
    const runner = await company.runner();
    await ground.wake(agent.id);
    const order = await runner.begin();
    const { answer } = await wait(runner);
    await runner.settle(order);
    const { id } = await ground.wake(agent.id);
    const told = await answer;
    expect(told).toMatchObject({ end: [], forget: [] });
    expect(told.orders.map(({ runId }) => runId)).toEqual([id]);
  });

  test("a server that stops answers who waits, with nothing, and hands out nothing any more", async () => {
    const stopping = await ground.server.sibling();
    const agent = await company.agent();
    const runner = await company.runner();
    const { answer } = await wait(runner.at(stopping));
    const closed = stopping.close();
    expect(await answer).toEqual(nothing);
    await closed;
    const { id } = await ground.wake(agent.id);
    expect((await runner.take()).runId).toBe(id);
  });

  test("what a runner is told names only what it asked about", async () => {
    const told: Resource<Contract["runners"]["extend"]> = await (await company.runner()).extend();
    expect(told).toEqual({ end: [], forget: [] });
  });
});
