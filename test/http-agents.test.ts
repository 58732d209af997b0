import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltRunner, buildRunner, type HttpGround, withHttpGround } from "./http-ground.ts";

let built: BuiltRunner;
beforeAll(async () => {
  built = await buildRunner();
});
afterAll(() => built.remove());

const test = (name: string, work: (ground: HttpGround) => Promise<void>): void =>
  void it(name, () => withHttpGround(built, work));
const succeeded = { status: "succeeded", message: "All is done." } as const;

describe("a run over HTTP that was accepted with 202", () => {
  test("ends when its agent says how it came out: it has succeeded, and what it used is booked", async (ground) => {
    const { runId, call } = await ground.begin();
    expect(call.body).toMatchObject({ type: "run.start", runId, wakeReason: "Because" });
    const usage = [{ provider: "acme", model: "m-1", inputTokens: 10, outputTokens: 2, costUsd: 0.5 }];
    const body = { ...succeeded, usage };
    await ground.inRun(call).runs.complete({ params: { runId }, body });
    const { run, events } = await ground.over(runId);
    expect(run).toMatchObject({ status: "succeeded", cause: { code: "ok" }, exitCode: 0, usage: { costCents: 50 } });
    const said = events.filter(({ stream }) => stream === null).map(({ kind }) => kind);
    expect(said).toEqual(["usage", "result"]);
    const booked = await ground.board.costs.list({ params: { companyId: ground.companyId }, query: { runId } });
    expect(booked.items).toMatchObject([{ model: "m-1", inputTokens: 10, costMicros: 500_000 }]);
    expect(ground.receiver.received).toHaveLength(1);
  });

  test("has failed when its agent says so, with its words", async (ground) => {
    const { runId, call } = await ground.begin();
    await ground.inRun(call).runs.complete({ params: { runId }, body: { status: "failed", message: "No disk." } });
    const { run } = await ground.over(runId);
    const message = "The receiver says that the run failed: No disk.";
    expect(run).toMatchObject({ status: "failed", cause: { code: "agent_error", message } });
  });

  test("whose agent never says it is timed out, and the receiver is told", async (ground) => {
    const { runId } = await ground.begin({ timeoutSec: 2 });
    const { run } = await ground.over(runId);
    expect(run).toMatchObject({ status: "timed_out", cause: { code: "timed_out" } });
    expect((await ground.receiver.call("run.cancel")).body).toMatchObject({ type: "run.cancel", runId });
  });

  test("P6: cancelled by the board: the credential is dead, the receiver is told", async (ground) => {
    const { runId, call } = await ground.begin();
    await ground.board.runs.cancel({ params: { runId } });
    const late = ground.inRun(call).runs.complete({ params: { runId }, body: succeeded });
    await expect(late).rejects.toMatchObject({ status: 401, code: "run_ended" });
    expect((await ground.receiver.call("run.cancel")).headers["webhook-id"]).toBe(`${runId}-cancel`);
    expect((await ground.over(runId)).run).toMatchObject({ status: "cancelled", cause: { code: "cancelled" } });
  });

  test("P7: is one call and has one end, whatever was killed: completed while no runner was there", async (ground) => {
    const { runId, call } = await ground.begin();
    await ground.killRunner();
    await ground.inRun(call).runs.complete({ params: { runId }, body: succeeded });
    ground.startRunner();
    const { run, events } = await ground.over(runId);
    expect(run).toMatchObject({ status: "succeeded", attempt: 1 });
    expect(events.filter(({ kind }) => kind === "result")).toHaveLength(1);
    expect(ground.receiver.received).toHaveLength(1);
    const entries = await ground.board.activity.list({
      params: { companyId: ground.companyId },
      query: { entityId: runId },
    });
    const actions = entries.items.map(({ action }) => action);
    for (const once of ["run.completed", "run.finished"]) expect(actions.filter((a) => a === once)).toHaveLength(1);
  });
});
