import type { Agent } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";

const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

describe("wakes", () => {
  let ground: RunGround;
  let company: TestCompany;
  beforeAll(async () => {
    ground = await startRunGround();
    company = await ground.company();
  });
  afterAll(() => ground.close());

  const queuedOf = async ({ id }: Agent): Promise<string[]> => {
    const rows = await ground.sql<{ id: string }[]>`
      select id from runs where agent_id = ${id} and status = 'queued' order by id`;
    return rows.map((row) => row.id);
  };
  const wakesOf = ({ id }: Agent) =>
    ground.sql<{ runId: string | null; skipped: string | null }[]>`
      select run_id as "runId", skipped from wakes where agent_id = ${id} order by id`;

  test("P5: of many wakes at once, on two servers, one queued run is made, and it shows each with reason, payload and cause", async () => {
    const agent = await company.agent();
    const sibling = await ground.sibling();
    const woken = await times(20, (n) =>
      (n % 2 ? sibling : ground.server).board.runs.wakeup({
        params: { agentId: agent.id },
        body: { reason: `Reason ${n}`, payload: { n } },
      }),
    );
    const ids = new Set(woken.map(({ run }) => run?.id));
    expect(ids.size).toBe(1);
    expect(woken.filter(({ coalesced }) => !coalesced)).toHaveLength(1);
    const run = await ground.run(String([...ids][0]));
    expect(run).toMatchObject({ status: "queued", attempt: 1, retryOf: null, issueId: null, waitingFor: "runner" });
    expect(new Set(run.wakes.map(({ reason }) => reason))).toEqual(
      new Set(Array.from({ length: 20 }, (_, n) => `Reason ${n}`)),
    );
    const entries = new Map((await company.log()).map((entry) => [entry.seq, entry]));
    for (const wake of run.wakes) {
      expect(wake).toMatchObject({ source: "on_demand", payload: { n: Number(wake.reason.slice(7)) } });
      expect(entries.get(wake.causeSeq ?? 0)).toMatchObject({
        action: "agent.woken",
        details: { reason: wake.reason, runId: run.id },
      });
    }
  });

  test("P5: a run shows its newest fifty wakes, oldest first", async () => {
    const agent = await company.agent();
    for (let n = 0; n < 52; n += 1) await ground.wake(agent.id, { reason: `${n}` });
    const [run] = await company.runs();
    expect(run?.wakes.map(({ reason }) => reason)).toEqual(Array.from({ length: 50 }, (_, n) => `${n + 2}`));
  });

  test("P5: another issue is another run, and so is none", async () => {
    const agent = await company.agent();
    const issues = [(await company.issue()).id, (await company.issue()).id, null];
    const woken = await times(12, (n) => ground.wake(agent.id, { issueId: issues[n % 3] ?? null }));
    expect(new Set(woken.map(({ issueId }) => issueId))).toEqual(new Set(issues));
    expect(await queuedOf(agent)).toHaveLength(3);
  });

  test("P5: wakes while a run is under way make one follow-up, however many", async () => {
    const company = await ground.company();
    const agent = await company.agent();
    const runner = await company.runner();
    const first = await ground.wake(agent.id);
    const order = await runner.begin();
    expect(order.runId).toBe(first.id);
    const woken = await times(10, () => ground.wake(agent.id));
    expect(new Set(woken.map(({ id }) => id)).size).toBe(1);
    expect(woken[0]?.id).not.toBe(first.id);
    expect((await ground.run(first.id)).wakes).toHaveLength(1);
    await runner.settle(order);
    expect((await runner.begin()).runId).toBe(woken[0]?.id);
    expect(await queuedOf(agent)).toEqual([]);
  });

  test("P5: of wakes with one key at once there is one wake and one run, also after the run is over", async () => {
    const company = await ground.company();
    const agent = await company.agent();
    const runner = await company.runner();
    const body = { idempotencyKey: "nightly-1", reason: "Nightly" };
    const woken = await times(10, () => ground.wake(agent.id, body));
    expect(new Set(woken.map(({ id }) => id)).size).toBe(1);
    const order = await runner.begin();
    await runner.settle(order);
    expect(await ground.wake(agent.id, body)).toMatchObject({ id: order.runId, status: "succeeded" });
    expect(await wakesOf(agent)).toHaveLength(1);
    const other = await company.agent();
    expect((await ground.wake(other.id, body)).id).not.toBe(order.runId);
  });

  test("P5: no wake is lost when many race with many claims on two servers: each belongs to a run, and each run is reached", async () => {
    const sibling = await ground.sibling();
    const racing = await ground.company();
    const agents = await times(3, () => racing.agent());
    const here = await racing.runner();
    const there = (await racing.runner()).at(sibling);
    let isWaking = true;
    const waking = Promise.all(
      Array.from({ length: 6 }, async (_, worker) => {
        const { board } = worker % 2 ? sibling : ground.server;
        for (let n = 0; n < 15; n += 1) {
          const agent = agents[(worker + n) % agents.length];
          await board.runs.wakeup({ params: { agentId: agent?.id ?? "" }, body: { reason: `${worker}.${n}` } });
        }
      }),
    ).finally(() => {
      isWaking = false;
    });
    const reached = await Promise.all(
      [here, there].map(async (runner) => {
        const runs: string[] = [];
        for (let isLast = false; !isLast; ) {
          isLast = !isWaking;
          const { orders } = await runner.claim({ capacity: 3, waitSec: isLast ? 0 : 0.05 });
          if (orders.length > 0) isLast = false;
          for (const order of orders) {
            runs.push(order.runId);
            await runner.start(order);
            await runner.settle(order);
          }
        }
        return runs;
      }),
    );
    await waking;
    const rows = await ground.sql<{ runId: string; reason: string; status: string }[]>`
      select w.run_id as "runId", w.reason, r.status from wakes w join runs r on r.id = w.run_id
      where w.company_id = ${racing.id}`;
    expect(new Set(rows.map(({ reason }) => reason)).size).toBe(90);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
    expect(reached.flat().sort()).toEqual([...new Set(rows.map(({ runId }) => runId))].sort());
  });

  test("P4: a pending agent and a terminated one are not woken by anything", async () => {
    const { agent: pending } = await ground.board.hires.request({
      params: { companyId: company.id },
      body: { name: "Eva", adapterType: "process", adapterConfig: { command: "true" } },
    });
    const gone = await company.agent();
    const { id: issueId } = await company.issue({ assigneeAgentId: gone.id, status: "backlog" });
    await ground.board.agents.terminate({ params: { agentId: gone.id } });
    await ground.board.issues.change({ params: { issueId }, body: { status: "todo" } });
    await ground.board.issues.addComment({ params: { issueId }, body: { body: "Hello?" } });
    await ground.refused("agent_terminated", () => ground.wake(gone.id));
    await ground.refused("agent_pending_approval", () => ground.wake(pending.id));
    expect(await wakesOf(gone)).toEqual([]);
    expect(await wakesOf(pending)).toEqual([]);
  });

  test("P4: however wakes race with its termination, no terminated agent keeps a queued run, and each is refused in so many words", async () => {
    const sibling = await ground.sibling();
    const { id: issueId } = await company.issue();
    for (let round = 0; round < 5; round += 1) {
      const agent = await company.agent();
      const params = { agentId: agent.id };
      const wakes = times(10, (n) =>
        (n % 2 ? sibling : ground.server).board.runs.wakeup({ params, body: { issueId: n % 3 ? issueId : null } }),
      );
      const [ended, ...woken] = await Promise.allSettled([
        ground.board.agents.terminate({ params }),
        wakes,
        ...Array.from({ length: 6 }, () => ground.wake(agent.id)),
      ]);
      expect(ended.status).toBe("fulfilled");
      for (const one of woken) {
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "agent_terminated" });
      }
      expect(await queuedOf(agent)).toEqual([]);
    }
  });
});
