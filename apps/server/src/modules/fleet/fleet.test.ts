import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround } from "../../../test/run-ground.ts";

describe("the fleet", () => {
  let ground: RunGround;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const register = async (name: string, companyIds: string[] | null = null) => {
    const { token, ...runner } = await ground.board.fleet.register({ body: { name, companyIds } });
    return { ...runner, token: token ?? "", client: ground.server.as(token ?? "") };
  };
  const log = async (runnerId: string): Promise<string[]> => {
    const { items } = await ground.board.activity.listInstance({ query: { entityId: runnerId } });
    return items.map(({ sentence }) => sentence).reverse();
  };

  test("a registered runner works with its token, is seen with its labels, and serves its companies only", async () => {
    const company = await ground.company();
    const other = await ground.company();
    const agent = await company.agent({ adapterConfig: { command: "true", runner: { labels: ["gpu"] } } });
    const stranger = await other.agent({ adapterConfig: { command: "true", runner: { labels: ["gpu"] } } });
    await ground.wake(stranger.id);
    const { id } = await ground.wake(agent.id);
    const runner = await register("Cellar", [company.id]);
    expect(runner).toMatchObject({ status: "active", companyIds: [company.id], lastSeenAt: null, runsUnderWay: 0 });
    const { orders } = await runner.client.runners.claim({ body: { capacity: 2, labels: ["gpu"], waitSec: 0 } });
    expect(orders.map(({ runId }) => runId)).toEqual([id]);
    const seen = await ground.board.fleet.get({ params: { runnerId: runner.id } });
    expect(seen).toMatchObject({ labels: ["gpu"], lastSeenAt: expect.any(String), runsUnderWay: 1 });
    expect((await ground.board.fleet.list({})).items).toContainEqual(seen);
  });

  test("a runner for a company that is not there is refused, and none is registered", async () => {
    const before = (await ground.board.fleet.list({ query: { limit: 200 } })).items.length;
    const nowhere = "01890000-0000-7000-8000-000000000000";
    await expect(register("Cellar", [nowhere])).rejects.toMatchObject({ code: "unknown_reference" });
    expect((await ground.board.fleet.list({ query: { limit: 200 } })).items).toHaveLength(before);
  });

  test("P7: a drained runner gets no more runs and finishes those it has; resumed, it gets them again", async () => {
    const company = await ground.company();
    const agent = await company.agent({ runtimeConfig: { maxConcurrentRuns: 2 } });
    const runner = await register("Attic", [company.id]);
    const claim = () => runner.client.runners.claim({ body: { capacity: 1, waitSec: 0, held } });
    const held: { runId: string; epoch: number }[] = [];
    await ground.wake(agent.id);
    const [order] = (await claim()).orders;
    if (order === undefined) throw new Error("nothing to run");
    held.push({ runId: order.runId, epoch: order.epoch });
    const params = { runnerId: runner.id };
    expect(await ground.board.fleet.drain({ params })).toMatchObject({ status: "draining", runsUnderWay: 1 });
    const issue = await company.issue();
    const { id: waiting } = await ground.wake(agent.id, { issueId: issue.id });
    expect(await claim()).toMatchObject({ orders: [], end: [] });
    await runner.client.runners.start({ params: { runId: order.runId }, body: { epoch: order.epoch } });
    const outcome = { code: "ok" as const, message: "Done." };
    await runner.client.runners.settle({ params: { runId: order.runId }, body: { epoch: order.epoch, outcome } });
    expect(await ground.run(order.runId)).toMatchObject({ status: "succeeded" });
    held.pop();
    await ground.board.fleet.resume({ params });
    expect((await claim()).orders.map(({ runId }) => runId)).toEqual([waiting]);
    expect(await log(runner.id)).toEqual([
      "The board registered the runner Attic",
      "The board gives the runner Attic no more runs",
      "The board gives the runner Attic runs again",
    ]);
  });

  test("a stopped runner is told to end its runs, which are queued again as the same attempt", async () => {
    const company = await ground.company();
    const agent = await company.agent();
    const runner = await register("Shed", [company.id]);
    const { id: runId } = await ground.wake(agent.id);
    const { orders } = await runner.client.runners.claim({ body: { capacity: 1, waitSec: 0 } });
    const held = orders.map(({ epoch }) => ({ runId, epoch }));
    const epoch = held[0]?.epoch ?? 0;
    await runner.client.runners.start({ params: { runId }, body: { epoch } });
    const waits = runner.client.runners.claim({ body: { capacity: 0, held } });
    await ground.board.fleet.stop({ params: { runnerId: runner.id } });
    expect((await waits).end).toEqual([{ runId, epoch, reason: "service_stop" }]);
    const outcome = { code: "service_stop" as const, message: "Stopped." };
    await runner.client.runners.settle({ params: { runId }, body: { epoch, outcome } });
    expect(await ground.run(runId)).toMatchObject({ status: "cancelled", cause: { code: "service_stop" } });
    const [again] = await company.runs();
    expect(again).toMatchObject({ status: "queued", retryOf: runId, attempt: 1 });
    expect(await company.actions(runId)).toEqual(["run.claimed", "run.started", "run.ending", "run.finished"]);
  });

  test("one that has runs is not removed; a removed one's token is dead, and its runs keep its name", async () => {
    const company = await ground.company();
    const agent = await company.agent();
    const runner = await register("Barn", [company.id]);
    const params = { runnerId: runner.id };
    const { id: runId } = await ground.wake(agent.id);
    const { orders } = await runner.client.runners.claim({ body: { capacity: 1, waitSec: 0 } });
    await expect(ground.board.fleet.remove({ params })).rejects.toMatchObject({
      code: "wrong_state",
      fix: { path: `/api/runners/${runner.id}/stop` },
    });
    const body = { epoch: orders[0]?.epoch ?? 0, outcome: { code: "ok" as const, message: "Done." } };
    await runner.client.runners.start({ params: { runId }, body: { epoch: body.epoch } });
    await runner.client.runners.settle({ params: { runId }, body });
    await ground.board.fleet.remove({ params });
    await expect(runner.client.runners.claim({ body: { capacity: 0, waitSec: 0 } })).rejects.toMatchObject({
      status: 401,
    });
    await expect(ground.board.fleet.get({ params })).rejects.toMatchObject({ status: 404 });
    expect(await ground.run(runId)).toMatchObject({ runnerId: runner.id, status: "succeeded" });
  });

  test("while the deployment is stopped no run starts in any company, and all under way are ended; then all goes on", async () => {
    const [one, two] = [await ground.company(), await ground.company()];
    const runner = await register("All", [one.id, two.id]);
    const [first, second] = [await one.agent(), await two.agent()];
    const { id: runId } = await ground.wake(first.id);
    const { orders } = await runner.client.runners.claim({ body: { capacity: 1, waitSec: 0 } });
    const epoch = orders[0]?.epoch ?? 0;
    const held = [{ runId, epoch }];
    const waits = runner.client.runners.claim({ body: { capacity: 0, held } });
    expect(await ground.board.instance.stop()).toMatchObject({ status: "stopped", stoppedAt: expect.any(String) });
    const { stoppedAt } = await ground.board.instance.stop();
    expect(await ground.board.instance.get()).toMatchObject({ status: "stopped", stoppedAt });
    expect((await waits).end).toEqual([{ runId, epoch, reason: "service_stop" }]);
    const { id: waiting } = await ground.wake(second.id);
    const claim = () => runner.client.runners.claim({ body: { capacity: 2, waitSec: 0, held } });
    expect((await claim()).orders).toEqual([]);
    expect(await ground.board.instance.resume()).toMatchObject({ status: "running", stoppedAt: null });
    expect((await claim()).orders.map(({ runId }) => runId)).toEqual([waiting]);
    const { items } = await ground.board.activity.listInstance({ query: { entityType: "instance" } });
    expect(items.map(({ action }) => action)).toEqual(["instance.resumed", "instance.stopped"]);
  });
});
