import type { RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

describe("ending runs", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const alone = async (mostAtOnce = 1) => {
    company = await ground.company();
    runner = await company.runner();
    return company.agent({ name: "Ada", runtimeConfig: { maxConcurrentRuns: mostAtOnce } });
  };
  const begun = async (): Promise<RunOrder> => {
    await ground.wake((await alone()).id);
    return runner.begin();
  };
  const cancel = (runId: string) => ground.board.runs.cancel({ params: { runId } });
  const statuses = async (): Promise<string[]> => (await company.runs()).map(({ status }) => status);
  const leases = () => ground.sql`select run_id from leases where company_id = ${company.id}`;
  const expectWholeLog = async (): Promise<void> => {
    const seqs = (await company.log()).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  };
  const output = { kind: "output", stream: "stdout", offset: 0, length: 2, text: "hi" } as const;

  describe("by cancelling", () => {
    test("what is queued is cancelled at once and never handed out; the next wake makes another", async () => {
      const agent = await alone();
      const { id } = await ground.wake(agent.id);
      expect(await cancel(id)).toMatchObject({
        id,
        status: "cancelled",
        waitingFor: null,
        cause: { code: "cancelled", message: "Cancelled by the board.", nextActor: "nobody" },
      });
      expect((await runner.claim()).orders).toEqual([]);
      expect(await company.actions(id)).toEqual(["run.finished"]);
      expect((await ground.wake(agent.id)).id).not.toBe(id);
    });

    test("what runs is ended by its runner: until then it is under way, and then it is cancelled", async () => {
      const order = await begun();
      expect(await cancel(order.runId)).toMatchObject({ status: "running", ending: "cancelled" });
      expect(await runner.extend(order)).toMatchObject({ end: [{ runId: order.runId, reason: "cancelled" }] });
      await runner.tell(order, [output]);
      await runner.settle(order, { code: "cancelled", message: "It was cancelled.", signal: "SIGTERM" });
      expect(await ground.run(order.runId)).toMatchObject({
        status: "cancelled",
        signal: "SIGTERM",
        log: { bytes: 2 },
      });
      expect(await company.actions(order.runId)).toEqual(["run.claimed", "run.started", "run.ending", "run.finished"]);
      expect(await statuses()).toEqual(["cancelled"]);
    });

    test("to cancel again changes nothing, while it ends, when it has, and when many do at once", async () => {
      const order = await begun();
      await Promise.all(Array.from({ length: 5 }, () => cancel(order.runId)));
      await cancel(order.runId);
      expect((await company.actions(order.runId)).filter((action) => action === "run.ending")).toHaveLength(1);
      await runner.settle(order, { code: "cancelled" });
      const before = await ground.written();
      expect((await cancel(order.runId)).status).toBe("cancelled");
      expect(await ground.written()).toEqual(before);
    });

    test("what is over in another way is not cancelled any more", async () => {
      const order = await begun();
      await runner.settle(order);
      const refusal = await ground.refused("wrong_state", () => cancel(order.runId));
      expect(refusal).toMatchObject({ status: 409, details: [{ path: "status", message: "is succeeded" }] });
    });

    test("an agent cancels the run it is in, and no other: not of others, and not with a key", async () => {
      const agent = await alone(2);
      const boss = await company.agent({ name: "Boss" });
      await ground.wake(agent.id);
      const order = await runner.begin();
      const { id: issueId } = await company.issue();
      const next = await ground.wake(agent.id, { issueId });
      const asOther = await ground.key(boss.id);
      const at = { params: { runId: order.runId } };
      await ground.refused("forbidden", () => asOther.runs.cancel(at));
      const asKey = await ground.key(agent.id);
      await ground.refused("forbidden", () => asKey.runs.cancel(at));
      await ground.refused("forbidden", () => ground.inRun(order).runs.cancel({ params: { runId: next.id } }));
      await ground.inRun(order).runs.cancel(at);
      expect((await company.log()).at(-1)).toMatchObject({
        action: "run.ending",
        actor: { kind: "agent", id: agent.id, runId: order.runId },
        details: { reason: "cancelled by Ada" },
      });
      await ground.refused("run_ended", () => ground.inRun(order).runs.cancel(at));
    });

    test("what was to end and whose runner is gone is cancelled, not lost, and not tried again, started or not", async () => {
      for (const isStarted of [true, false]) {
        await ground.wake((await alone()).id);
        const order = await (isStarted ? runner.begin() : runner.take());
        await cancel(order.runId);
        await ground.expire(order.runId);
        await ground.reap();
        expect(await statuses()).toEqual(["cancelled"]);
      }
    });

    test("however it races with claims, a run that is cancelled ends: it is not handed out, or it is and is told to end", async () => {
      const sibling = await ground.sibling();
      for (let round = 0; round < 15; round += 1) {
        const agent = await alone();
        const { id } = await ground.wake(agent.id);
        const [answer, ...claims] = await Promise.all([cancel(id), runner.claim(), runner.at(sibling).claim()]);
        const orders = [
          ...new Map(claims.flatMap((told) => told.orders).map((order) => [order.runId, order])).values(),
        ];
        const { status } = await ground.run(id);
        expect(status).toBe(orders.length === 0 ? "cancelled" : "claimed");
        expect(answer.status).toBe(status);
        for (const order of orders) {
          expect(await runner.extend(order)).toMatchObject({ end: [{ runId: id, reason: "cancelled" }] });
          await runner.settle(order, { code: "cancelled" });
        }
        expect(await statuses()).toEqual(["cancelled"]);
      }
    });
  });

  describe("by pausing the agent", () => {
    test("its runs under way end, claimed ones too; what is queued waits until it is resumed", async () => {
      const agent = await alone(2);
      await ground.wake(agent.id);
      const running = await runner.begin();
      const { id: issueId } = await company.issue({ assigneeAgentId: agent.id });
      const claimed = await runner.take();
      const waiting = await ground.wake(agent.id);
      await ground.board.agents.pause({ params: { agentId: agent.id } });
      expect((await runner.extend(running, claimed)).end.map(({ runId }) => runId)).toEqual([
        running.runId,
        claimed.runId,
      ]);
      expect(await ground.run(waiting.id)).toMatchObject({ status: "queued", waitingFor: "agent_paused" });
      for (const order of [running, claimed]) await runner.settle(order, { code: "cancelled" });
      expect((await runner.claim()).orders).toEqual([]);
      await ground.board.agents.resume({ params: { agentId: agent.id } });
      expect((await runner.take()).runId).toBe(waiting.id);
      expect((await ground.run(claimed.runId)).issueId).toBe(issueId);
    });

    test("while what it ran has not ended yet, a resumed agent has no room for more", async () => {
      const order = await begun();
      const agentId = order.agentId;
      await ground.board.agents.pause({ params: { agentId } });
      await ground.board.agents.resume({ params: { agentId } });
      const next = await ground.wake(agentId);
      expect((await runner.claim()).orders).toEqual([]);
      expect((await ground.run(next.id)).waitingFor).toBe("concurrency");
      await runner.settle(order, { code: "cancelled" });
      expect((await runner.take()).runId).toBe(next.id);
    });
  });

  test("terminating an agent ends all its runs in the same change, queued ones too, and gives back what they have checked out", async () => {
    const agent = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId: agent.id });
    const order = await runner.begin();
    await ground.inRun(order).issues.checkout({ params: { issueId }, body: { agentId: agent.id } });
    await ground.wake(agent.id);
    await ground.board.agents.terminate({ params: { agentId: agent.id } });
    expect(await company.runs()).toMatchObject([
      { status: "cancelled", cause: { code: "cancelled", message: "Its agent was terminated." } },
      { status: "cancelled" },
    ]);
    expect(await leases()).toEqual([]);
    const { runId, epoch } = order;
    expect(await runner.extend(order)).toEqual({ end: [], forget: [{ runId, epoch }] });
    expect(await ground.board.issues.get({ params: { issueId } })).toMatchObject({
      status: "in_progress",
      checkout: null,
    });
    expect((await ground.board.agents.get({ params: { agentId: agent.id } })).status).toBe("terminated");
    const before = await ground.written();
    await runner.settle(order, { code: "runner_lost" });
    expect(await ground.written()).toEqual(before);
  });

  test("pausing a company ends its runs under way and keeps what is queued, until it is resumed", async () => {
    const order = await begun();
    const waiting = await ground.wake(order.agentId);
    const params = { companyId: company.id };
    await ground.board.companies.pause({ params });
    expect((await runner.extend(order)).end).toHaveLength(1);
    expect((await ground.run(waiting.id)).waitingFor).toBe("company_paused");
    await runner.settle(order, { code: "cancelled" });
    expect((await runner.claim()).orders).toEqual([]);
    await company.issue({ assigneeAgentId: order.agentId });
    await ground.board.companies.resume({ params });
    expect((await runner.take()).runId).toBe(waiting.id);
    expect(await statuses()).toEqual(["queued", "claimed", "cancelled"]);
  });

  describe("by archiving the company", () => {
    test("all its runs end in the same change; after it nothing is written, whatever runners still tell", async () => {
      const order = await begun();
      await ground.wake(order.agentId);
      const params = { companyId: company.id };
      await ground.board.companies.archive({ params });
      expect(await statuses()).toEqual(["cancelled", "cancelled"]);
      expect(await leases()).toEqual([]);
      const before = await ground.written();
      await ground.refused("stale_lease", () => runner.start(order));
      await ground.refused("stale_lease", () => runner.tell(order, [output]));
      await runner.settle(order, { code: "cancelled" });
      await ground.reap();
      expect((await runner.claim()).orders).toEqual([]);
      expect(await ground.written()).toEqual(before);
      await ground.refused("company_paused", () => ground.wake(order.agentId));
      await expectWholeLog();
      await ground.board.companies.resume({ params });
      const { id } = await ground.wake(order.agentId);
      expect((await runner.take()).runId).toBe(id);
      await expectWholeLog();
    });

    test("however it races with wakes, none of them leaves a run behind", async () => {
      const sibling = await ground.sibling();
      for (let round = 0; round < 12; round += 1) {
        const agent = await alone();
        const wake = (n: number) =>
          (n % 2 ? sibling : ground.server).board.runs.invoke({ params: { agentId: agent.id } });
        const before = Promise.allSettled([wake(0), wake(1)]);
        const [archived] = await Promise.allSettled([
          ground.board.companies.archive({ params: { companyId: company.id } }),
          ...Array.from({ length: 6 }, (_, n) => wake(n)),
        ]);
        await before;
        expect(archived.status).toBe("fulfilled");
        expect((await statuses()).filter((status) => status !== "cancelled")).toEqual([]);
      }
    });

    test("P2: however it races with wakes, claims, starts and ends on two servers, no run stays open, and the log is closed and whole", async () => {
      const sibling = await ground.sibling();
      for (let round = 0; round < 5; round += 1) {
        const agent = await alone(10);
        const colleague = await company.agent({ runtimeConfig: { maxConcurrentRuns: 10 } });
        for (const { id } of [agent, colleague]) {
          await company.issue({ assigneeAgentId: id });
          await company.issue({ assigneeAgentId: id });
        }
        const begin = [await runner.begin(), await runner.begin()];
        const [archived, ...others] = await Promise.allSettled([
          ground.board.companies.archive({ params: { companyId: company.id } }),
          ...begin.map((order, n) => (n % 2 ? runner : runner.at(sibling)).settle(order, { code: "service_stop" })),
          runner.claim({ capacity: 3 }),
          runner.at(sibling).begin(),
          ground.wake(agent.id),
          ground.board.issues.create({
            params: { companyId: company.id },
            body: { title: "Late", assigneeAgentId: colleague.id },
          }),
        ]);
        expect(archived).toMatchObject({ status: "fulfilled" });
        for (const other of others) {
          if (other.status !== "rejected") continue;
          const { code, message } = other.reason as { code?: string; message: string };
          expect(code === undefined ? message : code).toMatch(
            /^(there was nothing to claim|stale_lease|company_paused|wrong_state)$/,
          );
        }
        const open = (await statuses()).filter((status) => ["queued", "claimed", "running"].includes(status));
        expect(open).toEqual([]);
        expect(await leases()).toEqual([]);
        await expectWholeLog();
        expect((await company.log()).at(-1)?.action).toMatch(/^(run\.finished|company\.archived|issue\.released)$/);
      }
    });
  });
});
