import { type Agent, waitingReasons } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idleProgram, type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";
import { type Standing, waitingFor } from "./admission.ts";

describe("why a queued run waits", () => {
  const ready: Standing = {
    agentStatus: "idle",
    pauseReason: null,
    companyStatus: "active",
    isServiceStopped: false,
    isOverBudget: false,
    isExhausted: false,
    isBackingOff: false,
    isIssueHeld: false,
    underWay: 0,
    mostUnderWay: 1,
  };

  test("it may start when nothing hinders it: then it waits for a runner", () => {
    for (const agentStatus of ["idle", "running", "error"] as const) {
      expect(waitingFor({ ...ready, agentStatus })).toBe("runner");
    }
    expect(waitingFor({ ...ready, underWay: 2, mostUnderWay: 3 })).toBe("runner");
  });

  test("of several reasons the one is named that has to be cleared first", () => {
    const hindrances: Partial<Standing>[] = [
      { isServiceStopped: true },
      { companyStatus: "paused" },
      { agentStatus: "paused" },
      { isOverBudget: true },
      { isExhausted: true },
      { isBackingOff: true },
      { underWay: 1 },
    ];
    const first = hindrances.map((_, index) => waitingFor(Object.assign({}, ready, ...hindrances.slice(index))));
    expect(first).toEqual([
      "service_stopped",
      "company_paused",
      "agent_paused",
      "over_budget",
      "cause_exhausted",
      "backoff",
      "concurrency",
    ]);
    expect(waitingFor({ ...ready, companyStatus: "archived" })).toBe("company_paused");
    for (const agentStatus of ["pending_approval", "terminated"] as const) {
      expect(waitingFor({ ...ready, agentStatus })).toBe("agent_paused");
    }
    for (const reason of first) expect(waitingReasons).toContain(reason);
  });
});

describe("whynot", () => {
  let ground: RunGround;
  let company: TestCompany;
  let agent: Agent;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const ask = ({ id }: Agent = agent) => ground.board.runs.whynot({ params: { agentId: id } });
  const codes = async (): Promise<string[]> => (await ask()).reasons.map(({ code }) => code);
  /** A company that has budgets of a dollar if it is said so, and an agent of it that was woken. */
  const woken = async (more: object = {}, budgets: object = {}): Promise<string> => {
    company = await ground.company(budgets);
    agent = await company.agent(more);
    return (await ground.wake(agent.id)).id;
  };
  const spendAll = (holderId: string) => ground.sql`
    insert into spend (company_id, holder_id, month, spent_micros)
    values (${company.id}, ${holderId}, to_char(now() at time zone 'UTC', 'YYYY-MM'), 1000000)`;
  /** Sends the call that the only reason names, and expects that it is cleared. */
  const applyFix = async (code: string): Promise<void> => {
    const { reasons } = await ask();
    expect(reasons.map((reason) => reason.code)).toEqual([code]);
    const { method = "", path = "", body } = reasons[0]?.fix ?? {};
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const sent = body === undefined ? {} : { headers: { "content-type": type }, body: JSON.stringify(body) };
    const response = await fetch(ground.server.url + path, { method, ...sent });
    expect(response.ok, await response.text()).toBe(true);
    expect(await codes()).not.toContain(code);
  };

  test("a queued run says what it waits for, whoever reads it and in lists too", async () => {
    const runId = await woken();
    const runner = await company.runner();
    const shown = async () => {
      const listed = (await company.runs()).find(({ id }) => id === runId);
      const { waitingFor: reason } = await ground.run(runId);
      expect(listed?.waitingFor).toBe(reason);
      return reason;
    };
    const { agents, companies } = ground.board;
    expect(await shown()).toBe("runner");
    await agents.pause({ params: { agentId: agent.id } });
    expect(await shown()).toBe("agent_paused");
    await companies.pause({ params: { companyId: company.id } });
    expect(await shown()).toBe("company_paused");
    await companies.resume({ params: { companyId: company.id } });
    await agents.resume({ params: { agentId: agent.id } });
    await ground.board.agents.change({ params: { agentId: agent.id }, body: { budgetMonthlyCents: 100 } });
    await spendAll(agent.id);
    expect(await shown()).toBe("over_budget");
    await ground.board.agents.change({ params: { agentId: agent.id }, body: { budgetMonthlyCents: 200 } });
    const { id: issueId } = await company.issue();
    const other = await ground.wake(agent.id, { issueId });
    const order = await runner.take();
    expect(order.runId).toBe(runId);
    expect(await shown()).toBeNull();
    expect((await ground.run(other.id)).waitingFor).toBe("concurrency");
  });

  test("an agent at work is hindered by nothing", async () => {
    const runId = await woken();
    const { id } = await ground.wake(agent.id, { issueId: (await company.issue()).id });
    await (await company.runner()).begin();
    expect(await ask()).toEqual({ running: [runId], queued: 1, reasons: [] });
    expect((await ground.run(id)).status).toBe("queued");
  });

  test("one that is queued and has a runner is hindered by nothing", async () => {
    await woken();
    await (await company.runner()).claim({ capacity: 0 });
    expect(await ask()).toEqual({ running: [], queued: 1, reasons: [] });
  });

  test("an agent that nothing woke has nothing to do; waking it is the remedy, where it may be woken", async () => {
    company = await ground.company();
    agent = await company.agent();
    await (await company.runner()).claim();
    await applyFix("nothing_to_do");
    expect(await ask()).toEqual({ running: [], queued: 1, reasons: [] });
    agent = await company.agent({ runtimeConfig: { heartbeat: { wakeOnDemand: false } } });
    expect((await ask()).reasons).toMatchObject([{ code: "nothing_to_do", nextActor: "board", fix: null }]);
  });

  test("what is paused is to be resumed, agent and company", async () => {
    await woken();
    await (await company.runner()).claim({ capacity: 0 });
    await ground.board.agents.pause({ params: { agentId: agent.id } });
    await applyFix("agent_paused");
    await ground.board.companies.pause({ params: { companyId: company.id } });
    await applyFix("company_paused");
    await ground.board.companies.archive({ params: { companyId: company.id } });
    expect((await codes())[0]).toBe("company_paused");
  });

  test("of a spent budget it says whose, and the remedy is for that one", async () => {
    await woken({ budgetMonthlyCents: 100 });
    await (await company.runner()).claim({ capacity: 0 });
    await spendAll(agent.id);
    await applyFix("over_budget");
    await woken({ budgetMonthlyCents: 100 }, { budgetMonthlyCents: 100 });
    await (await company.runner()).claim({ capacity: 0 });
    await spendAll(company.id);
    await applyFix("over_budget");
  });

  test("without a runner that may take its work it says so: one of another company, or without its labels, is none", async () => {
    const labels = ["gpu"];
    const adapterConfig = { ...idleProgram.adapterConfig, runner: { labels } };
    await ground.sql`update runner_sightings set seen_at = seen_at - interval '10 minutes'`;
    await woken({ adapterConfig });
    const runner = await company.runner();
    await (await (await ground.company()).runner()).claim({ capacity: 0, labels });
    await runner.claim({ capacity: 0, labels: ["other"] });
    expect((await ask()).reasons).toMatchObject([{ code: "runner", nextActor: "board", fix: null }]);
    await runner.claim({ capacity: 0, labels: ["other", "gpu"] });
    expect(await codes()).toEqual([]);
    await ground.sql`update runner_sightings set seen_at = seen_at - interval '10 minutes'`;
    expect(await codes()).toEqual(["runner"]);
    await (await ground.runner()).claim({ capacity: 0, labels });
    expect(await codes()).toEqual([]);
  });

  test("what is tried again later is nobody's to clear", async () => {
    await woken();
    const runner = await company.runner();
    await runner.settle(await runner.begin(), { code: "rate_limited" });
    expect((await ask()).reasons).toMatchObject([{ code: "backoff", nextActor: "service", fix: null }]);
    await ground.wake(agent.id, { issueId: (await company.issue()).id });
    expect(await codes()).toEqual([]);
  });

  test("a run that was handed out and not started is named, and one that is to end", async () => {
    const runId = await woken();
    const runner = await company.runner();
    const order = await runner.take();
    expect(await ask()).toMatchObject({
      running: [runId],
      reasons: [{ code: "starting", nextActor: "service", fix: null, message: expect.stringContaining(runId) }],
    });
    await runner.start(order);
    expect(await codes()).toEqual([]);
    await ground.board.agents.pause({ params: { agentId: agent.id } });
    expect(await codes()).toEqual(["agent_paused", "ending"]);
  });

  test("what waits because its cause is exhausted is to be released; what else may start hinders nothing", async () => {
    const runId = await woken();
    await (await company.runner()).claim({ capacity: 0 });
    await ground.sql`update runs set exhausted = true where id = ${runId}`;
    expect((await ground.run(runId)).waitingFor).toBe("cause_exhausted");
    await applyFix("cause_exhausted");
    await ground.sql`update runs set exhausted = true where id = ${runId}`;
    await ground.wake(agent.id, { issueId: (await company.issue()).id });
    expect(await codes()).toEqual([]);
  });

  test("of a breaker it says what its runs said", async () => {
    await woken();
    const runner = await company.runner();
    for (let n = 0; n < 3; n += 1) {
      await runner.settle(await runner.begin(), { code: "agent_error", message: "No disk." });
      if (n < 2) await ground.wake(agent.id);
    }
    const message = "It is paused (breaker). Its last runs failed alike: No disk.";
    expect((await ask()).reasons[0]).toMatchObject({ code: "agent_paused", message });
  });

  test("who is not hired yet, or terminated, is said to be so", async () => {
    company = await ground.company();
    const body = { name: "Eva", ...idleProgram };
    ({ agent } = await ground.board.hires.request({ params: { companyId: company.id }, body }));
    expect((await codes())[0]).toBe("agent_pending_approval");
    await ground.board.agents.terminate({ params: { agentId: agent.id } });
    expect((await ask()).reasons).toEqual([
      { code: "agent_terminated", message: "It is terminated, for good.", nextActor: "board", fix: null },
    ]);
  });

  test("several reasons stand in the order in which they have to be cleared", async () => {
    company = await ground.company();
    agent = await company.agent();
    await ground.board.agents.pause({ params: { agentId: agent.id } });
    await ground.board.companies.pause({ params: { companyId: company.id } });
    expect(await codes()).toEqual(["company_paused", "agent_paused", "nothing_to_do"]);
  });

  test("P1: nobody of another company is told", async () => {
    company = await ground.company();
    agent = await company.agent();
    const stranger = await ground.key((await (await ground.company()).agent()).id);
    await ground.refused("other_company", () => stranger.runs.whynot({ params: { agentId: agent.id } }));
  });
});
