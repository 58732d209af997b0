import type { Outcome, RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

describe("the end of a run", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  /** A company with nothing else to do, and an agent of it. */
  const alone = async (mostAtOnce = 1) => {
    company = await ground.company();
    runner = await company.runner();
    return company.agent({ name: "Ada", runtimeConfig: { maxConcurrentRuns: mostAtOnce } });
  };
  const begun = async (): Promise<RunOrder> => {
    await ground.wake((await alone()).id, { reason: "First" });
    return runner.begin();
  };
  const agentOf = ({ agentId }: Pick<RunOrder, "agentId">) => ground.board.agents.get({ params: { agentId } });
  const statusOf = async (order: Pick<RunOrder, "agentId">): Promise<string> => (await agentOf(order)).status;

  test("it tells how the run ended, for good: whatever comes after, nothing of it changes", async () => {
    const order = await begun();
    const outcome = { code: "agent_error", message: "It gave up.", exitCode: 3, signal: "SIGTERM" } as const;
    await runner.settle(order, outcome);
    const run = await ground.run(order.runId);
    expect(run).toMatchObject({
      status: "failed",
      waitingFor: null,
      cause: { code: "agent_error", message: "It gave up.", nextActor: "board" },
      exitCode: 3,
      signal: "SIGTERM",
      finishedAt: expect.any(String),
    });
    expect((await company.log()).at(-1)).toMatchObject({
      action: "run.finished",
      actor: { kind: "system" },
      sentence: expect.stringContaining("the run of Ada as failed. It gave up."),
    });
    const reopened = ground.sql`update runs set status = 'running' where id = ${order.runId}`;
    await expect(reopened).rejects.toThrow("a run that is over stays as it ended");
    expect(await ground.run(order.runId)).toEqual(run);
  });

  test("a run can end before it was started: what could not be prepared", async () => {
    await ground.wake((await alone()).id);
    const order = await runner.take();
    await runner.settle(order, { code: "timed_out", message: "It was not started in time.", limit: "start" });
    expect(await ground.run(order.runId)).toMatchObject({ status: "timed_out", startedAt: null });
    expect(await statusOf(order)).toBe("idle");
  });

  test("an agent is running from the start of its first run to the end of its last, also when both end at once", async () => {
    const sibling = await ground.sibling();
    const { id } = await alone(2);
    expect(await agentOf({ agentId: id })).toMatchObject({ status: "idle", lastHeartbeatAt: null });
    for (let round = 0; round < 8; round += 1) {
      for (const issue of [await company.issue(), await company.issue()]) await ground.wake(id, { issueId: issue.id });
      const { orders } = await runner.claim({ capacity: 2 });
      const [one, two] = orders;
      if (one === undefined || two === undefined) throw new Error("two runs were expected");
      expect(await statusOf(one)).toBe("idle");
      await runner.start(one);
      expect(await statusOf(one)).toBe("running");
      await runner.start(two);
      if (round === 0) {
        await runner.settle(one);
        expect(await statusOf(one)).toBe("running");
        await runner.settle(two);
      } else {
        await Promise.all([runner.settle(one), runner.at(sibling).settle(two)]);
      }
      expect(await agentOf(one)).toMatchObject({ status: "idle", lastHeartbeatAt: expect.any(String) });
    }
  });

  test("an agent's state depends on its own runs, not on those of others, in its company or elsewhere", async () => {
    const elsewhere = await begun();
    const { id } = await alone();
    const { id: colleagueId } = await company.agent({ name: "Bo" });
    await ground.wake(colleagueId);
    const beside = await runner.begin();
    await ground.wake(id);
    const order = await runner.begin();
    await runner.settle(order);
    expect(await statusOf(order)).toBe("idle");
    for (const other of [beside, elsewhere]) expect(await statusOf(other)).toBe("running");
  });

  test("what its configuration makes impossible puts an agent into error, which the log says once; a good run brings it back", async () => {
    for (const code of ["adapter_missing", "adapter_misconfigured", "auth_failed"] as const) {
      const order = await begun();
      await runner.settle(order, { code, message: "There is no such program." });
      expect(await statusOf(order)).toBe("error");
      expect((await company.actions(order.agentId)).slice(-1)).toEqual(["agent.failed"]);
      await ground.wake(order.agentId);
      const again = await runner.begin();
      await runner.settle(again, { code, message: "Still none." });
      expect((await company.actions(order.agentId)).filter((action) => action === "agent.failed")).toHaveLength(1);
      await ground.wake(order.agentId);
      await runner.settle(await runner.begin());
      expect(await statusOf(order)).toBe("idle");
    }
  });

  test("no end of a run moves an agent that is paused", async () => {
    for (const code of ["ok", "cancelled", "auth_failed"] as const) {
      const order = await begun();
      await ground.board.agents.pause({ params: { agentId: order.agentId } });
      await runner.settle(order, { code });
      expect(await agentOf(order)).toMatchObject({ status: "paused", pauseReason: "board" });
    }
  });

  test("a run's checkouts end with it; its issues stay as it left them, and what others have checked out stays", async () => {
    const { id: assigneeAgentId } = await alone();
    const issues = await Promise.all(
      ["one", "two", "three"].map((title) => company.issue({ title, assigneeAgentId, status: "backlog" })),
    );
    const [held, finished, others] = issues.map(({ id }) => id);
    await ground.wake(assigneeAgentId);
    const order = await runner.begin();
    const asAda = ground.inRun(order).issues;
    for (const issueId of [held, finished]) {
      await asAda.checkout({ params: { issueId: issueId ?? "" }, body: { agentId: assigneeAgentId } });
    }
    const byKey = (await ground.key(assigneeAgentId)).issues;
    await byKey.checkout({ params: { issueId: others ?? "" }, body: { agentId: assigneeAgentId } });
    await asAda.change({ params: { issueId: finished ?? "" }, body: { status: "done" } });
    await runner.settle(order, { code: "agent_error" });
    const states = await Promise.all(
      [held, finished, others].map((issueId) => ground.board.issues.get({ params: { issueId: issueId ?? "" } })),
    );
    expect(states).toMatchObject([
      { status: "in_progress", assigneeAgentId, checkout: null },
      { status: "done", assigneeAgentId, checkout: null },
      { status: "in_progress", checkout: { agentId: assigneeAgentId, runId: null } },
    ]);
    expect((await company.actions(held ?? "")).at(-1)).toBe("issue.released");
  });

  test("a lost run gives back what it has checked out, too", async () => {
    const { id: assigneeAgentId } = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId });
    const order = await runner.begin();
    await ground.inRun(order).issues.checkout({ params: { issueId }, body: { agentId: assigneeAgentId } });
    await ground.expire(order.runId);
    await ground.reap();
    expect(await ground.board.issues.get({ params: { issueId } })).toMatchObject({
      status: "in_progress",
      checkout: null,
    });
  });

  test("a stop of the service ends a run and queues its successor, which is no further attempt, however often", async () => {
    let order = await begun();
    for (let stop = 0; stop < 4; stop += 1) {
      await runner.settle(order, { code: "service_stop", message: "The service was stopped." });
      expect(await ground.run(order.runId)).toMatchObject({
        status: "cancelled",
        wakes: [],
        cause: { code: "service_stop", nextActor: "service" },
      });
      const next = await runner.begin();
      expect(await ground.run(next.runId)).toMatchObject({
        attempt: 1,
        retryOf: order.runId,
        wakes: [{ reason: "First" }],
      });
      order = next;
    }
    expect(await statusOf(order)).toBe("running");
  });

  test("what is to be tried later waits for its time, and says so", async () => {
    const causes: [Partial<Outcome>, atLeastSec: number, atMostSec: number][] = [
      [{ code: "rate_limited", retryAfterSec: 600 }, 590, 600],
      [{ code: "rate_limited" }, 50, 60],
      [{ code: "internal" }, 1, 5],
    ];
    for (const [outcome, atLeastSec, atMostSec] of causes) {
      const order = await begun();
      await runner.settle(order, outcome);
      const [next] = await company.runs();
      expect(next).toMatchObject({ status: "queued", waitingFor: "backoff", attempt: 2, wakes: [{ reason: "First" }] });
      expect(await company.actions(next?.id ?? "")).toEqual(["run.retried"]);
      const rows = await ground.sql`
        select 1 from runs where id = ${next?.id ?? ""}
        and not_before - clock_timestamp() between make_interval(secs => ${atLeastSec}) and make_interval(secs => ${atMostSec})`;
      expect(rows).toHaveLength(1);
      expect((await runner.claim()).orders).toEqual([]);
      await ground.sql`update runs set not_before = clock_timestamp() where id = ${next?.id ?? ""}`;
      expect((await runner.take()).runId).toBe(next?.id);
    }
  });

  test("what waits already for the same work waits as long as the retry that joins it", async () => {
    const { id: agentId } = await alone();
    await ground.wake(agentId);
    const order = await runner.begin();
    const { id: waiting } = await ground.wake(agentId);
    await runner.settle(order, { code: "rate_limited", retryAfterSec: 600 });
    expect((await company.runs()).map(({ id }) => id)).toEqual([waiting, order.runId]);
    expect(await ground.run(waiting)).toMatchObject({ waitingFor: "backoff", attempt: 2 });
    expect((await ground.run(waiting)).wakes).toHaveLength(2);
    expect((await runner.claim()).orders).toEqual([]);
  });

  test("what was asked to end is not tried again, whatever its end looks like; a good end stays one", async () => {
    for (const code of ["internal", "rate_limited", "runner_lost", "agent_error", "service_stop"] as const) {
      const order = await begun();
      await ground.board.runs.cancel({ params: { runId: order.runId } });
      await runner.settle(order, { code, message: "It was killed.", exitCode: 137 });
      expect(await company.runs()).toMatchObject([
        {
          status: "cancelled",
          cause: { code: "cancelled", message: "It was killed.", nextActor: "nobody" },
          exitCode: 137,
        },
      ]);
    }
    const order = await begun();
    await ground.board.runs.cancel({ params: { runId: order.runId } });
    await runner.settle(order);
    expect((await ground.run(order.runId)).status).toBe("succeeded");
  });
});
