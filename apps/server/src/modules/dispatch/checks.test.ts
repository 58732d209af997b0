import type { CheckFinding, CheckOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

describe("checks", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
    company = await ground.company();
    runner = await company.runner();
  });
  afterAll(() => ground.close());

  const unchecked = { state: "unchecked", findings: [], checkedAt: null, runnerId: null };
  const take = async (by: TestRunner = runner, labels: string[] = []): Promise<CheckOrder[]> =>
    (await by.claim({ checks: 16, capacity: 0, labels })).checks;
  const report = ({ agentId, revisionId }: CheckOrder, findings: CheckFinding[] = [], by: TestRunner = runner) =>
    by.client.runners.checked({ params: { agentId }, body: { revisionId, findings } });
  const checkOf = async (agentId: string) => (await ground.board.agents.get({ params: { agentId } })).check;
  const taken = (orders: readonly CheckOrder[]): string[] => orders.map(({ agentId }) => agentId);
  const warning: CheckFinding = { severity: "warning", message: "It has no login." };
  const error: CheckFinding = { severity: "error", message: "It is not there." };

  test("one is queued for each agent that is created; what it finds is on the agent, with time and runner, and no news in its ETag", async () => {
    const agent = await company.agent({ adapterConfig: { command: "true", cwd: "/srv/work" } });
    expect(agent.check).toEqual(unchecked);
    const [order, ...others] = await take();
    expect(others).toEqual([]);
    expect(order).toEqual({
      companyId: company.id,
      agentId: agent.id,
      revisionId: expect.any(String),
      adapterType: "process",
      adapterConfig: { command: "true", cwd: "/srv/work", env: {} },
      mayAsk: true,
    });
    if (order === undefined) return;
    const log = (await company.log()).length;
    for (const [findings, state] of [
      [[warning, error], "errors"],
      [[warning], "warnings"],
      [[], "ok"],
    ] as const) {
      await report(order, [...findings]);
      expect(await checkOf(agent.id)).toEqual({
        state,
        findings,
        checkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        runnerId: runner.id,
      });
    }
    const { items } = await ground.board.agents.list({ params: { companyId: company.id } });
    expect(items.find(({ id }) => id === agent.id)?.check.state).toBe("ok");
    expect((await company.log()).length).toBe(log);
    await ground.board.agents.change({ params: { agentId: agent.id }, ifMatch: 1, body: { title: "Engineer" } });
  });

  test("a change of adapter or settings asks for another, and so does a rollback; what comes late about the one before is nothing", async () => {
    const agent = await company.agent();
    const [first] = await take();
    if (first === undefined) return expect.fail("no check");
    await report(first);
    const params = { agentId: agent.id };
    for (const body of [{ title: "Engineer" }, { capabilities: "All" }, { budgetMonthlyCents: 100 }]) {
      expect((await ground.board.agents.change({ params, body })).check.state).toBe("ok");
    }
    const changed = await ground.board.agents.change({ params, body: { adapterConfig: { cwd: "/srv" } } });
    expect(changed.check).toEqual(unchecked);
    await report(first, [error]);
    expect(await checkOf(agent.id)).toEqual(unchecked);
    const [second] = await take();
    expect(second).toMatchObject({ agentId: agent.id, adapterConfig: { cwd: "/srv" } });
    await report(second ?? first, [warning]);
    const revisions = await ground.board.configurations.listRevisions({ params });
    const oldest = revisions.items.at(-1)?.id ?? "";
    await ground.board.configurations.rollback({ params: { ...params, revisionId: oldest } });
    expect(await checkOf(agent.id)).toEqual(unchecked);
    await report((await take())[0] ?? first);
  });

  test("of a hire it is shown with the approval; its program is not started before that, and is once it is approved", async () => {
    const proposal = { name: "Proposed", adapterType: "process", adapterConfig: { command: "/srv/anything" } };
    const hired = await ground.board.hires.request({ params: { companyId: company.id }, body: proposal });
    const approvalId = hired.approval?.id ?? "";
    const read = () => ground.board.approvals.get({ params: { approvalId } });
    expect((await read()).check).toEqual(unchecked);
    const [order] = await take();
    expect(order).toMatchObject({ agentId: hired.agent.id, mayAsk: false });
    await report(order ?? expect.fail("no check"), [error]);
    expect((await read()).check).toMatchObject({ state: "errors", findings: [error] });
    await ground.board.approvals.approve({ params: { approvalId }, body: {} });
    expect((await read()).check).toEqual(unchecked);
    const [again] = await take();
    expect(again).toMatchObject({ agentId: hired.agent.id, mayAsk: true });
    await report(again ?? expect.fail("no check"));
  });

  test("P11: no secret is handed out for one, only that it is there", async () => {
    const env = { PLAIN: "seen", API_TOKEN: "a-value-that-nobody-is-shown" };
    await company.agent({ adapterConfig: { command: "true", env } });
    const [order] = await take();
    expect(order?.adapterConfig["env"]).toEqual({ PLAIN: "seen", API_TOKEN: "" });
    await report(order ?? expect.fail("no check"));
  });

  test("it is handed to one runner at a time, of those whose labels and companies fit; one that says nothing leaves it to another", async () => {
    const { id } = await company.agent({ adapterConfig: { command: "true", runner: { labels: ["gpu"] } } });
    const other = await company.runner();
    const foreign = await (await ground.company()).runner();
    expect(await take(runner, ["other"])).toEqual([]);
    expect(await take(foreign, ["gpu"])).toEqual([]);
    const both = await Promise.all([runner, other].map((by) => take(by, ["gpu"])));
    expect(taken(both.flat())).toEqual([id]);
    expect(await take(other, ["gpu"])).toEqual([]);
    await ground.sql`update agent_checks set taken_until = now() - interval '1 second' where agent_id = ${id}`;
    const [order] = await take(other, ["gpu"]);
    expect(order?.agentId).toBe(id);
    await ground.refused("other_company", () => report(order ?? expect.fail("no check"), [], foreign));
    await report(order ?? expect.fail("no check"), [], other);
  });

  test("a runner that does none is handed none; one that waits hears of it at once", async () => {
    const { checks } = await runner.claim({ capacity: 0, held: [] });
    expect(checks).toEqual([]);
    const waiting = runner.claim({ checks: 1, capacity: 0, waitSec: 20 });
    const { id } = await company.agent();
    const answer = await waiting;
    expect(taken(answer.checks)).toEqual([id]);
    await ground.board.agents.terminate({ params: { agentId: id } });
    await ground.sql`update agent_checks set taken_until = null where agent_id = ${id}`;
    expect(await take()).toEqual([]);
  });
});
