import type { Agent, Attention, RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  idleProgram,
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
} from "../../../test/run-ground.ts";

describe("what calls for attention", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const alone = async (more: object = {}): Promise<Agent> => {
    company = await ground.company();
    runner = await company.runner();
    return company.agent(more);
  };
  const list = async (query: object = {}): Promise<Attention[]> =>
    (await ground.board.attention.list({ params: { companyId: company.id }, query })).items;
  const kinds = async (): Promise<string[]> => (await list()).map(({ kind }) => kind);
  /** Runs the agent once, with this end; its retries too, where `attempts` says so. */
  const endWith = async (agent: Agent, code: "ok" | "auth_failed" | "internal" | "agent_error", attempts = 1) => {
    await ground.wake(agent.id);
    for (let n = 0; n < attempts; n += 1) {
      await ground.sql`update runs set not_before = null where agent_id = ${agent.id} and status = 'queued'`;
      await runner.settle(await runner.begin(), { code, message: `It said ${code}.` });
    }
  };
  const said = async (): Promise<string[]> =>
    (await company.log()).flatMap(({ action, sentence }) => (action.startsWith("attention.") ? [sentence] : []));

  test("an agent that cannot work calls once, for as long as it cannot; a good run takes that back, and so does the board", async () => {
    const agent = await alone();
    await endWith(agent, "auth_failed");
    await endWith(agent, "auth_failed");
    const message = "Ada cannot work: It said auth_failed. Mend its configuration, then clear its error.";
    expect(await list()).toMatchObject([
      { kind: "agent_error", entityType: "agent", entityId: agent.id, message, nextActor: "board", resolvedAt: null },
    ]);
    await endWith(agent, "ok");
    expect(await list()).toEqual([]);
    expect(await list({ open: "false" })).toMatchObject([{ kind: "agent_error", message }]);
    await endWith(agent, "auth_failed");
    expect(await kinds()).toEqual(["agent_error"]);
    await ground.board.agents.clearError({ params: { agentId: agent.id } });
    expect(await kinds()).toEqual([]);
    expect(await said()).toEqual([
      `Roster called for attention: ${message}`,
      `Roster took back the call: ${message}`,
      `Roster called for attention: ${message}`,
      `The board took back the call: ${message}`,
    ]);
  });

  test("an agent whose error is cleared while it is at work again is running, and idle when that is over", async () => {
    const agent = await alone();
    const status = async () => (await ground.board.agents.get({ params: { agentId: agent.id } })).status;
    await endWith(agent, "auth_failed");
    await ground.wake(agent.id);
    const order = await runner.begin();
    expect((await ground.board.agents.clearError({ params: { agentId: agent.id } })).status).toBe("running");
    await runner.settle(order);
    expect(await status()).toBe("idle");
  });

  test("work that is tried again calls only when it is given up, and until it succeeds", async () => {
    const agent = await alone();
    await endWith(agent, "internal", 2);
    expect(await list()).toEqual([]);
    await ground.sql`update runs set not_before = null where agent_id = ${agent.id} and status = 'queued'`;
    await runner.settle(await runner.begin(), { code: "internal", message: "Our fault." });
    expect(await list()).toMatchObject([
      {
        kind: "given_up",
        entityType: "agent",
        entityId: agent.id,
        message: "Ada was given up after 3 attempts. Our fault. Wake it again once that is mended.",
      },
    ]);
    await endWith(agent, "agent_error");
    expect(await kinds()).toEqual(["given_up"]);
    await endWith(agent, "ok");
    expect(await kinds()).toEqual([]);
  });

  test("what was given up about an issue is said of the issue, until it is over", async () => {
    const agent = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId: agent.id });
    for (let n = 0; n < 3; n += 1) {
      await ground.sql`update runs set not_before = null where agent_id = ${agent.id} and status = 'queued'`;
      await runner.settle(await runner.begin(), { code: "internal" });
    }
    expect(await list()).toMatchObject([{ kind: "given_up", entityType: "issue", entityId: issueId }]);
    await endWith(agent, "ok");
    expect(await kinds()).toEqual(["given_up"]);
    await ground.board.issues.change({ params: { issueId }, body: { status: "cancelled" } });
    expect(await kinds()).toEqual([]);
  });

  test("an ordinary failure calls for nobody", async () => {
    const agent = await alone();
    await endWith(agent, "agent_error");
    await endWith(agent, "agent_error");
    expect(await list()).toEqual([]);
  });

  test("the board dismisses a call, again without effect; its reason may call again", async () => {
    const agent = await alone();
    await endWith(agent, "auth_failed");
    const [call] = await list();
    const params = { attentionId: call?.id ?? "" };
    const dismissed = await ground.board.attention.dismiss({ params });
    expect(dismissed.resolvedAt).not.toBeNull();
    expect(await ground.board.attention.dismiss({ params })).toEqual(dismissed);
    expect(await company.actions(params.attentionId)).toEqual(["attention.raised", "attention.dismissed"]);
    await ground.board.agents.clearError({ params: { agentId: agent.id } });
    await endWith(agent, "auth_failed");
    expect(await kinds()).toEqual(["agent_error"]);
    const key = await ground.key(agent.id);
    expect((await key.attention.list({ params: { companyId: company.id } })).items).toHaveLength(1);
    await ground.refused("forbidden", () => key.attention.dismiss({ params }));
  });

  test("what a terminated agent called for is over", async () => {
    const agent = await alone();
    await endWith(agent, "auth_failed");
    await ground.board.agents.terminate({ params: { agentId: agent.id } });
    expect(await kinds()).toEqual([]);
  });

  test("of many ends at once that fail an agent, one call is made", async () => {
    const agent = await alone({ runtimeConfig: { maxConcurrentRuns: 5 }, ...idleProgram });
    const orders: RunOrder[] = [];
    for (let n = 0; n < 5; n += 1) {
      await ground.wake(agent.id, { issueId: (await company.issue()).id });
      orders.push(await runner.begin());
    }
    await Promise.all(orders.map((order) => runner.settle(order, { code: "adapter_missing" })));
    expect((await kinds()).filter((kind) => kind === "agent_error")).toHaveLength(1);
  });

  test("P12: pages of what is open, and of what is over, by kind and by entity", async () => {
    const agents = [await alone(), ...(await Promise.all([1, 2, 3, 4].map(() => company.agent())))];
    for (const agent of agents) await endWith(agent, "auth_failed");
    const params = { companyId: company.id };
    const first = await ground.board.attention.list({ params, query: { limit: 2, kind: "agent_error" } });
    expect(first.items.map(({ entityId }) => entityId)).toEqual([agents[4]?.id, agents[3]?.id]);
    const next = await ground.board.attention.list({ params, query: { limit: 2, cursor: first.next ?? "" } });
    expect(next.items.map(({ entityId }) => entityId)).toEqual([agents[2]?.id, agents[1]?.id]);
    expect(await list({ entityId: agents[0]?.id })).toHaveLength(1);
    expect(await list({ kind: "breaker" })).toEqual([]);
    expect(await list({ open: "false" })).toEqual([]);
  });
});
