import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Claim,
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
} from "../../../test/run-ground.ts";
import { newId } from "../../platform/ids.ts";

describe("leases", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  /** A run of an agent that has a company to itself, claimed and started. */
  const begun = async () => {
    const order = await claimed();
    await runner.start(order);
    return order;
  };
  const claimed = async () => {
    company = await ground.company();
    runner = await company.runner();
    await ground.wake((await company.agent()).id, { reason: "First", idempotencyKey: "first" });
    return runner.take();
  };
  const output = { kind: "output", stream: "stdout", offset: 0, length: 2, text: "hi" } as const;
  const leaseOf = async ({ runId }: Claim) => {
    const [row] = await ground.sql<{ epoch: number; runnerId: string; isLong: boolean; isOver: boolean }[]>`
      select epoch, runner_id as "runnerId", lease_until > clock_timestamp() + interval '20 seconds' as "isLong",
        lease_until < clock_timestamp() as "isOver"
      from leases where run_id = ${runId}`;
    return row ?? null;
  };
  const allMoves = (by: TestRunner, claim: Claim) => [
    () => by.start(claim),
    () => by.tell(claim, [output]),
    () => by.settle(claim),
  ];

  test("whoever speaks for a run without its lease, another runner or an older claim, is refused and changes nothing", async () => {
    const order = await begun();
    const other = await company.runner();
    for (const move of allMoves(other, order)) await ground.refused("stale_lease", move);
    for (const move of allMoves(runner, { ...order, epoch: 7 })) await ground.refused("stale_lease", move);
    await ground.sql`update runs set epoch = 3 where id = ${order.runId}`;
    await ground.sql`update leases set epoch = 3 where run_id = ${order.runId}`;
    for (const move of allMoves(runner, order)) await ground.refused("stale_lease", move);
    await runner.settle({ ...order, epoch: 3 });
    await ground.refused("stale_lease", () => runner.start({ ...order, epoch: 3 }));
    await ground.refused("stale_lease", () => runner.tell({ ...order, epoch: 3 }, [output]));
  });

  test("nobody but a runner speaks for a run", async () => {
    const order = await begun();
    const { runId, epoch } = order;
    for (const client of [ground.board, ground.inRun(order)]) {
      await ground.refused("forbidden", () => client.runners.start({ params: { runId }, body: { epoch } }));
      await ground.refused("forbidden", () => client.runners.extend({ body: { held: [{ runId, epoch }] } }));
      await ground.refused("forbidden", () => client.runners.claim({ body: { capacity: 1 } }));
    }
  });

  test("a start that is told again, also at once, is one start", async () => {
    const order = await claimed();
    await Promise.all(Array.from({ length: 5 }, () => runner.start(order)));
    const { startedAt } = await ground.run(order.runId);
    await runner.start(order);
    expect(await ground.run(order.runId)).toMatchObject({ status: "running", startedAt });
    expect(await company.actions(order.runId)).toEqual(["run.claimed", "run.started"]);
  });

  test("P5: a settlement that is told again changes nothing, whatever it says; ten at once on two servers are one", async () => {
    const sibling = await ground.sibling();
    const order = await begun();
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? runner : runner.at(sibling)).settle(order, { code: n % 3 ? "ok" : "agent_error", message: `${n}` }, [
          output,
        ]),
      ),
    );
    const before = await ground.written();
    const run = await ground.run(order.runId);
    expect(["succeeded", "failed"]).toContain(run.status);
    expect(run.log.bytes).toBe(2);
    await runner.settle(order, { code: "timed_out", message: "Too late.", limit: "wall" });
    expect(await ground.written()).toEqual(before);
    expect(await company.actions(order.runId)).toEqual(["run.claimed", "run.started", "run.finished"]);
  });

  test("extending keeps what is one's own, and says what to end and what to forget", async () => {
    const order = await begun();
    const other = await company.runner();
    const mine = { runId: order.runId, epoch: order.epoch };
    await ground.sql`update leases set lease_until = clock_timestamp() + interval '1 second' where run_id = ${order.runId}`;
    for (const [by, claim] of [
      [other, mine],
      [runner, { ...mine, epoch: 2 }],
    ] as const) {
      expect(await by.extend(claim)).toEqual({ end: [], forget: [claim] });
      expect(await leaseOf(order)).toMatchObject({ isLong: false });
    }
    expect(await runner.extend(mine)).toEqual({ end: [], forget: [] });
    expect(await leaseOf(order)).toMatchObject({ isLong: true });
    await ground.board.runs.cancel({ params: { runId: order.runId } });
    expect(await runner.extend(mine)).toEqual({ end: [{ ...mine, reason: "cancelled" }], forget: [] });
    await runner.settle(order, { code: "cancelled" });
    expect(await runner.extend(mine)).toEqual({ end: [], forget: [mine] });
    expect(await leaseOf(order)).toBeNull();
  });

  test("a started run whose lease runs out is lost and tried again as a new run, to which its wakes go; the third time it is not", async () => {
    const first = await begun();
    const { agentId } = first;
    let order = first;
    for (const attempt of [2, 3]) {
      await ground.expire(order.runId);
      await ground.reap();
      const lost = await ground.run(order.runId);
      expect(lost).toMatchObject({
        status: "lost",
        wakes: [],
        cause: { code: "runner_lost", nextActor: "service" },
        finishedAt: expect.any(String),
      });
      const [next] = await company.runs();
      expect(next).toMatchObject({ status: "queued", attempt, retryOf: order.runId, wakes: [{ reason: "First" }] });
      const again = await ground.wake(agentId, { idempotencyKey: "first" });
      expect(again.id).toBe(next?.id);
      order = await runner.begin({ held: [] });
      expect(order.runId).toBe(next?.id);
    }
    await ground.expire(order.runId);
    await ground.reap();
    expect(await ground.run(order.runId)).toMatchObject({
      status: "lost",
      attempt: 3,
      cause: { nextActor: "board" },
      wakes: [{ reason: "First" }],
    });
    expect(await company.runs()).toHaveLength(3);
    expect((await ground.board.agents.get({ params: { agentId } })).status).toBe("idle");
  });

  test("who was lost is refused whatever it tells, but that it ended, which changes nothing; it is to forget the run", async () => {
    const order = await begun();
    await ground.expire(order.runId);
    await ground.reap();
    const before = await ground.written();
    await ground.refused("stale_lease", () => runner.start(order));
    await ground.refused("stale_lease", () => runner.tell(order, [output]));
    const { runId, epoch } = order;
    expect(await runner.claim({ capacity: 0 })).toEqual({
      orders: [],
      checks: [],
      end: [],
      forget: [{ runId, epoch }],
    });
    await runner.settle(order);
    expect(await ground.written()).toEqual(before);
  });

  test("a retry joins the run that waits already, with all its wakes", async () => {
    const order = await begun();
    const waiting = await ground.wake(order.agentId, { reason: "Second" });
    await ground.expire(order.runId);
    await ground.reap();
    const [joined] = await company.runs();
    expect(joined).toMatchObject({ id: waiting.id, attempt: 2, wakes: [{ reason: "First" }, { reason: "Second" }] });
    expect(await company.runs()).toHaveLength(2);
  });

  test("a claimed run that was never started goes back into the queue: no loss, no attempt, and the next claim has a higher number", async () => {
    const order = await claimed();
    await ground.expire(order.runId);
    await ground.reap();
    expect(await ground.run(order.runId)).toMatchObject({
      status: "queued",
      attempt: 1,
      runnerId: null,
      revision: null,
      claimedAt: null,
      wakes: [{ reason: "First" }],
    });
    const again = await (await company.runner()).begin();
    expect(again).toMatchObject({ runId: order.runId, epoch: order.epoch + 1 });
    for (const move of allMoves(runner, order)) await ground.refused("stale_lease", move);
    expect(await company.actions(order.runId)).toEqual(["run.claimed", "run.requeued", "run.claimed", "run.started"]);
  });

  test("a claimed run that was never started, and whose place in the queue is taken, ends; its wakes are not lost", async () => {
    const order = await claimed();
    const waiting = await ground.wake(order.agentId, { reason: "Second" });
    await ground.expire(order.runId);
    await ground.reap();
    expect(await ground.run(order.runId)).toMatchObject({ status: "lost", wakes: [] });
    expect((await ground.run(waiting.id)).wakes.map(({ reason }) => reason)).toEqual(["First", "Second"]);
  });

  test("P5: however wakes race with a return into the queue, one run waits, and it has every wake", async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = await claimed();
      await ground.expire(order.runId);
      await Promise.all([
        ground.reap(),
        ...Array.from({ length: 5 }, (_, n) => ground.wake(order.agentId, { reason: `${n}` })),
      ]);
      const waiting = (await company.runs()).filter(({ status }) => status === "queued");
      expect(waiting).toHaveLength(1);
      expect(new Set(waiting[0]?.wakes.map(({ reason }) => reason))).toEqual(
        new Set(["First", "0", "1", "2", "3", "4"]),
      );
    }
  });

  test("P5: a wake that takes the place in the queue while it is being given back is seen: nothing fails, nothing is lost", async () => {
    const order = await claimed();
    const waiting = newId();
    let reaping: Promise<void> | null = null;
    await ground.sql.begin(async (sql) => {
      await sql`
        insert into runs (company_id, id, agent_id, status, priority, attempt, cause_id, root_id, hops, created_at)
        select company_id, ${waiting}, agent_id, 'queued', priority, 1, cause_id, root_id, hops, created_at
        from runs where id = ${order.runId}`;
      await ground.expire(order.runId);
      reaping = ground.reap();
      await vi.waitFor(async () => {
        const blocked = await ground.sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect(blocked).not.toHaveLength(0);
      });
    });
    await reaping;
    expect((await ground.run(order.runId)).status).toBe("lost");
    expect((await ground.run(waiting)).wakes.map(({ reason }) => reason)).toEqual(["First"]);
  });

  test("P5: of a loss, a settlement and an extension at once, on two servers, one holds; a run has one end", async () => {
    const sibling = await ground.sibling();
    for (let round = 0; round < 10; round += 1) {
      const order = await begun();
      await ground.expire(order.runId);
      await Promise.allSettled([
        ground.reap(),
        ground.reap(sibling),
        runner.settle(order),
        runner.at(sibling).extend(order),
        runner.tell(order, [output]),
      ]);
      await ground.expire(order.runId);
      await ground.reap();
      const ends = (await company.actions(order.runId)).filter((action) => action === "run.finished");
      expect(ends).toHaveLength(1);
      expect(await leaseOf(order)).toBeNull();
      const { status } = await ground.run(order.runId);
      expect(await company.runs()).toHaveLength(status === "lost" ? 2 : 1);
    }
  });

  test("a lost run that cannot be ended keeps no other from it, and is ended once it can be", async () => {
    const stuck = await begun();
    const closed = company.id;
    const other = await begun();
    await ground.expire(stuck.runId);
    await ground.expire(other.runId);
    await ground.sql`update activity_heads set closed_after = last_seq where company_id = ${closed}`;
    await expect(ground.reap()).rejects.toThrow("1 lost runs could not be ended");
    expect((await ground.run(stuck.runId)).status).toBe("running");
    expect((await ground.run(other.runId)).status).toBe("lost");
    await ground.sql`update activity_heads set closed_after = null where company_id = ${closed}`;
    await ground.reap();
    expect((await ground.run(stuck.runId)).status).toBe("lost");
  });

  test("an outage of the servers expires nothing: what had not run out when it began gets a reprieve, what had is lost", async () => {
    const kept = await begun();
    const keeper = runner;
    const lost = await begun();
    await ground.sql.begin(async (sql) => {
      await sql`update instance set alive_at = clock_timestamp() - interval '10 minutes'`;
      await sql`update leases set lease_until = clock_timestamp() - interval '9 minutes' where run_id = ${kept.runId}`;
      await sql`update leases set lease_until = clock_timestamp() - interval '11 minutes' where run_id = ${lost.runId}`;
    });
    await ground.reap();
    expect(await leaseOf(kept)).toMatchObject({ isLong: true, epoch: kept.epoch });
    expect((await ground.run(lost.runId)).status).toBe("lost");
    await ground.reap();
    await keeper.settle(kept);
    expect((await ground.run(kept.runId)).status).toBe("succeeded");
  });

  test("no lease is judged by a server that was away itself, before the reprieve is given", async () => {
    const order = await begun();
    await ground.sql.begin(async (sql) => {
      await sql`update instance set alive_at = clock_timestamp() - interval '10 minutes'`;
      await sql`update leases set lease_until = clock_timestamp() - interval '9 minutes' where run_id = ${order.runId}`;
    });
    await ground.reap(ground.server, false);
    expect((await ground.run(order.runId)).status).toBe("running");
    await ground.reap();
    expect(await leaseOf(order)).toMatchObject({ isLong: true });
  });

  test("servers do all this by themselves: one that starts ends what was lost", async () => {
    const order = await begun();
    const waiting = (await company.runner()).claim({ waitSec: 20 });
    await ground.expire(order.runId);
    await ground.sibling();
    const { orders } = await waiting;
    expect(orders).toHaveLength(1);
    expect((await ground.run(orders[0]?.runId ?? "")).retryOf).toBe(order.runId);
  });
});
