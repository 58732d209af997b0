import type { Agent, Company } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { nextState } from "../../platform/lifecycle.ts";
import { agentLifecycle } from "./lifecycle.ts";
import { orgOf } from "./org.ts";
import { urlKeyCandidate } from "./url-key.ts";

describe("agents", () => {
  let server: TestServer;
  let company: Company;
  beforeAll(async () => {
    server = await startTestServer();
    company = await server.board.companies.create({ body: { name: "Agents" } });
  });
  afterAll(() => server.close());

  const params = () => ({ companyId: company.id });
  const create = (name: string, more: { reportsTo?: string } = {}): Promise<Agent> =>
    server.board.agents.create({
      params: params(),
      body: { name, adapterType: "process", adapterConfig: { command: "true" }, ...more },
    });
  const keyOf = async (agentId: string): Promise<string> =>
    (await server.board.agentKeys.create({ params: { agentId }, body: {} })).token ?? "";
  const lastSentence = async (): Promise<string | undefined> =>
    (await server.board.activity.list({ params: params(), query: { limit: 1 } })).items[0]?.sentence;

  test("an agent is created idle with every default said, and found by id and by its name in addresses", async () => {
    const agent = await create("Ada Lovelace");
    expect(agent).toMatchObject({ status: "idle", urlKey: "ada-lovelace", role: "general", revisionNumber: 1 });
    expect(agent.runtimeConfig.heartbeat).toEqual({ enabled: false, wakeOnDemand: true, skipWhenIdle: false });
    const found = await server.board.agents.get({
      params: { agentId: "ada-lovelace" },
      query: { companyId: company.id },
    });
    expect(found).toEqual(agent);
    expect(await lastSentence()).toBe("The board created the agent Ada Lovelace (general)");
  });

  test("twelve agents of one name created at once get twelve addresses", async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => create("Same")));
    const keys = made.map(({ urlKey }) => urlKey).toSorted((a, b) => a.localeCompare(b));
    expect(new Set(keys).size).toBe(12);
    expect(keys).toContain("same-12");
  });

  test("me tells an agent its company, its managers nearest first, and its budget", async () => {
    const boss = await create("Boss");
    const lead = await create("Lead", { reportsTo: boss.id });
    const agent = await create("Worker", { reportsTo: lead.id });
    const me = await server.as(await keyOf(agent.id)).agents.me();
    expect(me.company).toMatchObject({ id: company.id, name: "Agents" });
    expect(me.chainOfCommand.map(({ name }) => name)).toEqual(["Lead", "Boss"]);
    expect(me.budget).toEqual({ monthlyCents: 0, spentCents: 0, reservedCents: 0, remainingCents: null });
  });

  test("the reporting tree has no circles, also when two moves would close one together", async () => {
    const [a, b] = [await create("A"), await create("B")];
    const move = (agentId: string, reportsTo: string) =>
      server.board.agents.change({ params: { agentId }, body: { reportsTo } });
    const results = await Promise.allSettled([move(a.id, b.id), move(b.id, a.id)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = results.find((result) => result.status === "rejected");
    expect(refused?.reason).toMatchObject({ status: 422, code: "reporting_cycle" });
    await expect(move(a.id, a.id)).rejects.toMatchObject({ code: "reporting_cycle" });
  });

  test("a manager must be there, in this company, and not terminated", async () => {
    const gone = await create("Gone");
    await server.board.agents.terminate({ params: { agentId: gone.id } });
    await expect(create("X", { reportsTo: gone.id })).rejects.toMatchObject({ code: "unknown_reference" });
    const other = await server.board.companies.create({ body: { name: "Elsewhere" } });
    const foreign = await server.board.agents.create({
      params: { companyId: other.id },
      body: { name: "Foreign", adapterType: "process", adapterConfig: { command: "true" } },
    });
    await expect(create("Y", { reportsTo: foreign.id })).rejects.toMatchObject({ status: 403, code: "other_company" });
  });

  test("two people who edit one agent do not undo each other: the second is told to read again", async () => {
    const agent = await create("Edited");
    const edit = (title: string) =>
      server.board.agents.change({ params: { agentId: agent.id }, body: { title }, ifMatch: 1 });
    const results = await Promise.allSettled([edit("one"), edit("two")]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(refused?.reason).toMatchObject({ status: 412, code: "stale_revision" });
  });

  test("P6: the key of a paused agent reads but does not write, of a terminated one does nothing", async () => {
    const agent = await create("Sleeper");
    const as = server.as(await keyOf(agent.id));
    await server.board.agents.pause({ params: { agentId: agent.id } });
    expect((await as.agents.me()).status).toBe("paused");
    const write = () => as.agentKeys.create({ params: { agentId: agent.id }, body: {} });
    await expect(write()).rejects.toMatchObject({ status: 403, code: "credential_suspended" });
    await server.board.agents.resume({ params: { agentId: agent.id } });
    await write();
    await server.board.agents.terminate({ params: { agentId: agent.id } });
    await expect(as.agents.me()).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  });

  test("an agent creates others only where the company asks for no approval and it may", async () => {
    const agent = await create("Founder");
    const as = server.as(await keyOf(agent.id));
    const body = { name: "New", adapterType: "process", adapterConfig: { command: "true" } };
    await expect(as.agents.create({ params: params(), body })).rejects.toMatchObject({
      code: "approval_required",
      fix: { path: `/api/companies/${company.id}/agent-hires` },
    });
    await server.board.companies.change({ params: params(), body: { requireBoardApprovalForNewAgents: false } });
    await expect(as.agents.create({ params: params(), body })).rejects.toMatchObject({ code: "forbidden" });
    const permissions = { canCreateAgents: true };
    await server.board.agents.change({ params: { agentId: agent.id }, body: { permissions } });
    expect((await as.agents.create({ params: params(), body })).status).toBe("idle");
    expect(await lastSentence()).toBe("Founder created the agent New (general)");
  });

  test("a revoked and an expired key stop working at once, on every server", async () => {
    const agent = await create("Keyed");
    const sibling = await server.sibling();
    const key = await server.board.agentKeys.create({ params: { agentId: agent.id }, body: { name: "laptop" } });
    await sibling.as(key.token ?? "").agents.me();
    await server.board.agentKeys.revoke({ params: { agentId: agent.id, keyId: key.id } });
    await expect(sibling.as(key.token ?? "").agents.me()).rejects.toMatchObject({ code: "unauthenticated" });
    const token = await keyOf(agent.id);
    await server.database
      .driver`update agent_keys set expires_at = now() - interval '1 second' where revoked_at is null`;
    await expect(sibling.as(token).agents.me()).rejects.toMatchObject({ status: 401, code: "credential_expired" });
    await sibling.close();
    expect((await server.board.agentKeys.list({ params: { agentId: agent.id } })).items).toHaveLength(1);
  });

  test("P11: no table holds a key's token", async () => {
    const agent = await create("Hashed");
    const token = await keyOf(agent.id);
    const [row] = await server.database
      .driver`select agent_keys::text as row from agent_keys where agent_id = ${agent.id}`;
    expect(row?.["row"]).not.toContain(token.split("_")[2]);
  });
});

describe("the lifecycle of an agent", () => {
  const { states, moves } = agentLifecycle;
  const table = {
    approve: { pending_approval: "idle" },
    drop: { pending_approval: "terminated" },
    work: { idle: "running" },
    rest: { running: "idle" },
    fail: { idle: "error", running: "error" },
    recover: { error: "idle" },
    "recover-at-work": { error: "running" },
    pause: { idle: "paused", running: "paused", error: "paused" },
    resume: { paused: "idle" },
    "clear-error": { error: "idle" },
    "clear-error-at-work": { error: "running" },
    terminate: Object.fromEntries(
      states.filter((state) => state !== "terminated").map((state) => [state, "terminated"]),
    ),
  } as Record<keyof typeof moves, Record<string, string>>;

  test.each(Object.keys(moves) as (keyof typeof moves)[])("%s leads just where the table says", (move) => {
    const reached = states.flatMap((state) => {
      const next = nextState(agentLifecycle, move, state);
      return next === undefined ? [] : [[state, next]];
    });
    expect(Object.fromEntries(reached)).toEqual(table[move]);
  });

  test("terminated is final", () => {
    const out = (Object.keys(moves) as (keyof typeof moves)[]).map((move) =>
      nextState(agentLifecycle, move, "terminated"),
    );
    expect(out.every((next) => next === undefined)).toBe(true);
  });
});

describe("names in addresses", () => {
  test.each([
    ["Ada Lovelace", 0, "ada-lovelace"],
    ["Zoë  O'Neil!", 1, "zoe-o-neil-2"],
    ["机器人", 0, "agent"],
    ["-".repeat(80), 0, "agent"],
  ])("%s, candidate %i, is %s", (name, n, expected) => expect(urlKeyCandidate(name, n)).toBe(expected));

  test("an agent whose manager is not in the tree is a root of it", () => {
    const place = { role: "r", title: null, icon: null, status: "idle" as const };
    const roots = orgOf([
      { id: "1", name: "one", reportsTo: "gone", ...place },
      { id: "2", name: "two", reportsTo: "1", ...place },
    ]);
    expect(roots).toMatchObject([{ id: "1", reports: [{ id: "2" }] }]);
  });
});
