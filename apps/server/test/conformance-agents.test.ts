import { Refused } from "@roster/client";
import {
  type Agent,
  type AgentProposal,
  agentIcons,
  type BodyInput,
  type Company,
  type Contract,
} from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillText } from "./skill-ground.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

type Proposal = BodyInput<Contract["hires"]["request"]>;

const program = { adapterType: "process", adapterConfig: { command: "true" } } as const;

let server: TestServer;
let company: Company;
let free: Company;
beforeAll(async () => {
  server = await startTestServer();
  company = await server.board.companies.create({ body: { name: "Conforming" } });
  free = await server.board.companies.create({ body: { name: "Free", requireBoardApprovalForNewAgents: false } });
});
afterAll(() => server.close());

const params = () => ({ companyId: company.id });
const hire = (more: Partial<Proposal>) =>
  server.board.hires.request({ params: params(), body: { name: "Ada", ...program, ...more } });
const create = (more: Partial<Proposal> = {}): Promise<Agent> =>
  server.board.agents.create({ params: params(), body: { name: "Ada", ...program, ...more } });
const change = (agentId: string, body: BodyInput<Contract["agents"]["change"]>) =>
  server.board.agents.change({ params: { agentId }, body });
const issue = async (title: string): Promise<string> =>
  (await server.board.issues.create({ params: params(), body: { title } })).id;
const skill = async (name: string) => {
  const body = { files: { "SKILL.md": skillText(name) } };
  const { imported } = await server.board.skills.import({ params: params(), body });
  return imported[0] ?? expect.fail("nothing was imported");
};
const refusalOf = (call: Promise<unknown>): Promise<Refused> =>
  call.then(
    () => expect.fail("was not refused"),
    (error: unknown) => (error instanceof Refused ? error : Promise.reject(error)),
  );

describe("the body of a hire and of a creation", () => {
  const whole = async (): Promise<AgentProposal> => ({
    name: "Nova",
    role: "engineer",
    title: "Software engineer",
    icon: "code",
    reportsTo: (await create()).id,
    capabilities: "Owns the checkout service",
    desiredSkills: [(await skill("Review")).key],
    adapterType: "claude_local",
    adapterConfig: { cwd: "/srv/checkout", model: "sonnet", promptTemplate: "You are {{agent.name}}." },
    instructionsBundle: { entryFile: "start.md", files: { "start.md": "Read more.md.", "notes/more.md": "More." } },
    runtimeConfig: {
      heartbeat: { enabled: true, intervalSec: 3600, wakeOnDemand: false, skipWhenIdle: true },
      maxConcurrentRuns: 2,
      maxRunCostCents: 50,
    },
    permissions: { canCreateAgents: false, canManageSkills: true, canAssignTasks: false },
    budgetMonthlyCents: 5000,
    sourceIssueId: await issue("We need an engineer"),
    sourceIssueIds: [await issue("The service is slow")],
  });

  test("every field that is sent is stored, answered, part of the payload, and read again", async () => {
    const body = await whole();
    const { agent, approval } = await hire(body);
    const sourceIssueIds = [body.sourceIssueId, ...body.sourceIssueIds];
    expect(agent).toMatchObject({ ...body, sourceIssueIds, status: "pending_approval" });
    expect(approval?.payload).toMatchObject({ ...body, sourceIssueIds });
    expect(await server.board.agents.get({ params: { agentId: agent.id } })).toEqual(agent);
    const { reportsTo: _, desiredSkills: __, sourceIssueId: ___, sourceIssueIds: ____, ...elsewhere } = body;
    const made = await server.board.agents.create({ params: { companyId: free.id }, body: elsewhere });
    expect(made).toMatchObject({ ...elsewhere, status: "idle", reportsTo: null, desiredSkills: [] });
  });

  test("only name and adapterType are needed; everything else has its default", async () => {
    const { agent } = await server.board.hires.request({
      params: params(),
      body: { name: "Plain", adapterType: "claude_local" },
    });
    expect(agent).toMatchObject({
      role: "general",
      title: null,
      icon: null,
      reportsTo: null,
      capabilities: null,
      desiredSkills: [],
      adapterConfig: {},
      instructionsBundle: null,
      runtimeConfig: { heartbeat: { enabled: false, wakeOnDemand: true, skipWhenIdle: false }, maxConcurrentRuns: 1 },
      permissions: { canCreateAgents: false, canManageSkills: false, canAssignTasks: false },
      budgetMonthlyCents: 0,
      sourceIssueId: null,
      sourceIssueIds: [],
    });
  });

  test("a skill is named by id, key or slug; agent and payload hold canonical keys, each once", async () => {
    const [one, two, three] = [await skill("Sum up"), await skill("Deploy"), await skill("Greet")];
    const { agent, approval } = await hire({ desiredSkills: [one.id, two.key, three.slug, one.slug] });
    expect(agent.desiredSkills).toEqual(["local/sum-up", "local/deploy", "local/greet"]);
    expect(approval?.payload["desiredSkills"]).toEqual(agent.desiredSkills);
    expect(await refusalOf(hire({ desiredSkills: ["deploy", "gret"] }))).toMatchObject({
      status: 422,
      code: "unknown_skill",
      details: [{ path: "desiredSkills.1", nearest: "local/greet" }],
    });
  });

  test("a slug that two skills have is refused with both keys", async () => {
    await skill("Twin");
    await server.database.driver`
      with twin as (
        insert into skills select company_id, gen_random_uuid(), 'acme/tools/twin', slug, name, description, source_type,
          source_locator, source_ref, content_hash, version, created_at, updated_at
        from skills where company_id = ${company.id} and slug = 'twin' returning *)
      insert into skill_versions (company_id, id, skill_id, content_hash, files, created_at)
      select company_id, gen_random_uuid(), id, content_hash, '[]', created_at from twin`;
    const refusal = await refusalOf(hire({ desiredSkills: ["twin"] }));
    expect(refusal).toMatchObject({ status: 422, code: "ambiguous_skill", details: [{ path: "desiredSkills.0" }] });
    expect([...(refusal.details[0]?.allowed ?? [])].sort()).toEqual(["acme/tools/twin", "local/twin"]);
  });

  test("an icon, and an adapter, outside its enumeration is refused with the choices and the nearest", async () => {
    expect(agentIcons).toEqual(
      expect.arrayContaining(["crown", "bot", "code", "shield", "search", "terminal", "rocket", "brain"]),
    );
    const icon = await refusalOf(hire({ icon: "crow" as "crown" }));
    expect(icon).toMatchObject({ status: 400, code: "invalid_request", details: [{ path: "icon", nearest: "crown" }] });
    expect(icon.details[0]?.allowed).toEqual([...agentIcons]);
    await refusalOf(hire({ icon: "Crown" as "crown" }));
    expect(await refusalOf(hire({ adapterType: "claude" }))).toMatchObject({
      status: 400,
      code: "invalid_request",
      details: [{ path: "adapterType", nearest: "claude_local", allowed: expect.arrayContaining(["process"]) }],
    });
  });

  test("a timer needs an interval of 10 to 2,592,000 seconds", async () => {
    const timer = (intervalSec?: number) =>
      hire({ runtimeConfig: { heartbeat: { enabled: true, ...(intervalSec !== undefined && { intervalSec }) } } });
    for (const bad of [undefined, 9, 2_592_001, 60.5]) {
      const { status, code, details } = await refusalOf(timer(bad));
      expect({ bad, status, code }).toEqual({ bad, status: 400, code: "invalid_request" });
      expect(details[0]?.path).toBe("runtimeConfig.heartbeat.intervalSec");
    }
    for (const good of [10, 2_592_000]) {
      const { agent } = await timer(good);
      expect(agent.runtimeConfig.heartbeat).toMatchObject({ enabled: true, intervalSec: good });
    }
  });

  test("a monthly budget is 0 to 900,000,000,000 whole cents, and 0 is no limit", async () => {
    for (const bad of [-1, 0.5, 900_000_000_001]) {
      const refusal = await refusalOf(create({ budgetMonthlyCents: bad }));
      expect(refusal).toMatchObject({ code: "invalid_request", details: [{ path: "budgetMonthlyCents" }] });
    }
    for (const [budgetMonthlyCents, remainingCents] of [
      [0, null],
      [900_000_000_000, 900_000_000_000],
    ] as const) {
      const { id: agentId } = await create({ budgetMonthlyCents });
      const { token } = await server.board.agentKeys.create({ params: { agentId }, body: {} });
      const { budget } = await server.as(token ?? "").agents.me();
      expect(budget).toEqual({ monthlyCents: budgetMonthlyCents, spentCents: 0, reservedCents: 0, remainingCents });
    }
  });

  test("names have at most 200 characters, a role 64; a field nobody knows is refused with the nearest", async () => {
    expect((await create({ name: "n".repeat(200), role: "r".repeat(64) })).role).toHaveLength(64);
    for (const bad of [{ name: "n".repeat(201) }, { role: "r".repeat(65) }, { name: " " }]) {
      expect(await refusalOf(create(bad))).toMatchObject({ details: [{ path: Object.keys(bad)[0] }] });
    }
    const misspelt = await refusalOf(create({ titel: "x" } as Partial<Proposal>));
    expect(misspelt).toMatchObject({ code: "invalid_request", details: [{ path: "titel", nearest: "title" }] });
    const inside = await refusalOf(create({ runtimeConfig: { hearbeat: {} } as Proposal["runtimeConfig"] }));
    expect(inside).toMatchObject({ details: [{ path: "runtimeConfig.hearbeat", nearest: "heartbeat" }] });
  });

  test("cwd is absolute, model a text; a setting that the adapter does not know is kept and answered", async () => {
    for (const [setting, value] of [
      ["cwd", "here"],
      ["model", 7],
    ] as const) {
      const refusal = await refusalOf(create({ adapterConfig: { command: "true", [setting]: value } }));
      expect(refusal).toMatchObject({ code: "invalid_request", details: [{ path: `adapterConfig.${setting}` }] });
    }
    const adapterConfig = { command: "true", aKeyOfTomorrow: { deep: [1] } };
    expect((await create({ adapterConfig })).adapterConfig).toEqual(adapterConfig);
  });

  test("an id in capitals is the same id", async () => {
    const [sourceIssueId, other] = [await issue("One"), await issue("Two")];
    const { id: reportsTo } = await create();
    const { agent, approval } = await hire({
      reportsTo: reportsTo.toUpperCase(),
      sourceIssueId: sourceIssueId.toUpperCase(),
      sourceIssueIds: [sourceIssueId, other, other.toUpperCase()],
    });
    expect(agent).toMatchObject({ reportsTo, sourceIssueId, sourceIssueIds: [sourceIssueId, other] });
    const linked = await server.board.approvals.listIssues({ params: { approvalId: approval?.id ?? "" } });
    expect(linked.items.map(({ id }) => id).sort()).toEqual([sourceIssueId, other].sort());
  });
});

describe("instructions", () => {
  const bundle = (files: Record<string, string>, entryFile?: string) =>
    create({ instructionsBundle: { files, ...(entryFile !== undefined && { entryFile }) } });

  test("stand beside a prompt; the entry file is AGENTS.md where none is named, and one of the files", async () => {
    const both = await create({
      instructionsBundle: { files: { "AGENTS.md": "Standing rules." } },
      adapterConfig: { command: "true", promptTemplate: "Go." },
    });
    expect(both.instructionsBundle).toEqual({ entryFile: "AGENTS.md", files: { "AGENTS.md": "Standing rules." } });
    expect(both.adapterConfig["promptTemplate"]).toBe("Go.");
    for (const call of [() => bundle({ "other.md": "x" }), () => bundle({ "a.md": "x" }, "b.md"), () => bundle({})]) {
      expect(await refusalOf(call())).toMatchObject({ details: [{ path: "instructionsBundle.entryFile" }] });
    }
  });

  test.each(["../up.md", "/etc/passwd", "a/../b.md", "./a.md", "a//b.md", "a\\b.md", ""])(
    "have no file %j: names are relative and stay inside",
    async (path) => {
      const { code, details } = await refusalOf(bundle({ "AGENTS.md": "x", [path]: "y" }));
      expect(code).toBe("invalid_request");
      expect(details[0]?.path).toMatch(/^instructionsBundle\.files/);
    },
  );

  test("are at most 100 files of 512 KiB together, counted in bytes", async () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [n === 0 ? "AGENTS.md" : `${n}.md`, "x"]));
    await bundle(files(100));
    expect((await refusalOf(bundle(files(101)))).message).toContain("at most 100 files");
    const half = "é".repeat(131_072);
    await bundle({ "AGENTS.md": half, "b.md": half });
    const refusal = await refusalOf(bundle({ "AGENTS.md": half, "b.md": `${half}x` }));
    expect(refusal.message).toContain("at most 512 KiB");
  });
});

describe("changing an agent", () => {
  test("settings and runtime merge, null removes and clears; what is not named stays", async () => {
    const { id } = await create({
      title: "Clerk",
      adapterConfig: { command: "true", model: "a", deep: { kept: 1, gone: 2 } },
      runtimeConfig: { heartbeat: { enabled: true, intervalSec: 60, wakeOnDemand: false } },
    });
    const changed = await change(id, {
      title: null,
      adapterConfig: { model: null, deep: { gone: null } },
      runtimeConfig: { heartbeat: { enabled: false, wakeOnDemand: null }, maxConcurrentRuns: 3 },
    });
    expect(changed).toMatchObject({ name: "Ada", title: null, adapterConfig: { command: "true", deep: { kept: 1 } } });
    expect(changed.adapterConfig).not.toHaveProperty("model");
    expect(changed.adapterConfig["deep"]).toEqual({ kept: 1 });
    expect(changed.runtimeConfig).toEqual({
      heartbeat: { enabled: false, intervalSec: 60, wakeOnDemand: true, skipWhenIdle: false },
      maxConcurrentRuns: 3,
    });
    const misspelt = await refusalOf(change(id, { runtimeConfig: { hearbeat: {} } }));
    expect(misspelt).toMatchObject({ details: [{ path: "runtimeConfig.hearbeat", nearest: "heartbeat" }] });
  });

  test("instructions, skills and permissions are replaced whole, settings with the adapter type", async () => {
    const [one, other] = [await skill("One"), await skill("Other")];
    const { id } = await create({
      permissions: { canAssignTasks: true },
      desiredSkills: [one.key],
      instructionsBundle: { files: { "AGENTS.md": "a", "b.md": "b" } },
    });
    const changed = await change(id, {
      permissions: { canCreateAgents: true },
      desiredSkills: [other.key],
      instructionsBundle: { files: { "AGENTS.md": "c" } },
      adapterType: "http",
      adapterConfig: { url: "https://example.com/run" },
    });
    expect(changed.permissions).toEqual({ canCreateAgents: true, canManageSkills: false, canAssignTasks: false });
    expect(changed.desiredSkills).toEqual([other.key]);
    expect(changed.instructionsBundle).toEqual({ entryFile: "AGENTS.md", files: { "AGENTS.md": "c" } });
    expect(changed.adapterConfig).toEqual({ url: "https://example.com/run" });
  });

  test("its state is no field of it", async () => {
    const { id } = await create();
    const refusal = await refusalOf(change(id, { status: "terminated" } as BodyInput<Contract["agents"]["change"]>));
    expect(refusal).toMatchObject({ code: "invalid_request", details: [{ path: "status" }] });
  });
});

describe("what the state of an agent forbids", () => {
  const revisionOf = async (agentId: string): Promise<string> => {
    const { items } = await server.board.configurations.listRevisions({ params: { agentId } });
    return items[0]?.id ?? "";
  };

  test("P4: while it is pending: to roll back, wake, invoke, check out; each refusal names the state", async () => {
    const { agent } = await hire({ name: "Eva" });
    const at = { params: { agentId: agent.id } };
    const { configurations, runs, issues } = server.board;
    const rollback = { params: { agentId: agent.id, revisionId: await revisionOf(agent.id) } };
    const issueId = await issue("Work");
    const calls = [
      () => configurations.rollback(rollback),
      () => runs.wakeup({ ...at, body: {} }),
      () => runs.invoke(at),
      () => issues.checkout({ params: { issueId }, body: { agentId: agent.id } }),
    ];
    const state = { path: "agent.status", message: "is pending_approval" };
    for (const call of calls) {
      const refusal = await refusalOf(call());
      expect(refusal).toMatchObject({ status: 409, code: "agent_pending_approval", details: [state] });
    }
    expect((await refusalOf(configurations.rollback(rollback))).fix).toMatchObject({
      resubmit: "POST /api/approvals/:approvalId/resubmit",
    });
  });

  test("once it is terminated: to hold a key, be changed, synced, rolled back or resumed", async () => {
    const { id: agentId } = await create();
    const at = { params: { agentId } };
    const { agents, agentKeys, configurations } = server.board;
    await agents.terminate(at);
    const rollback = { params: { agentId, revisionId: await revisionOf(agentId) } };
    for (const call of [
      () => agentKeys.create({ ...at, body: {} }),
      () => agents.change({ ...at, body: { title: "x" } }),
      () => configurations.syncSkills({ ...at, body: {} }),
      () => configurations.rollback(rollback),
    ]) {
      expect(await refusalOf(call())).toMatchObject({ status: 409, code: "agent_terminated" });
    }
    expect(await refusalOf(agents.resume(at))).toMatchObject({ status: 409, code: "wrong_state" });
  });
});

describe("keys of agents", () => {
  const of = (agentId: string) => ({ params: { agentId } });

  test("a key is svk_, eight characters that everybody may see, _ and 43 of base 62, which only its creation tells", async () => {
    const { id: agentId } = await create();
    const made = await server.board.agentKeys.create({ ...of(agentId), body: { name: "laptop" } });
    expect(made.token).toMatch(/^svk_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
    expect(made).toMatchObject({ name: "laptop", prefix: made.token?.slice(0, 12), expiresAt: null });
    const { token: _, ...shown } = made;
    expect((await server.board.agentKeys.list(of(agentId))).items).toEqual([shown]);
    expect(await server.board.agentKeys.get({ params: { agentId, keyId: made.id } })).toEqual(shown);
    const hash = await server.database.driver`select hash from agent_keys where id = ${made.id}`;
    expect(hash[0]?.["hash"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("a key expires when it is told to, at any time to come", async () => {
    const { id: agentId } = await create();
    const make = (expiresAt: string) => server.board.agentKeys.create({ ...of(agentId), body: { expiresAt } });
    expect((await make("2099-01-31T12:00:00Z")).expiresAt).toBe("2099-01-31T12:00:00.000Z");
    for (const bad of ["2001-01-01T00:00:00Z", "tomorrow"]) {
      expect(await refusalOf(make(bad))).toMatchObject({ code: "invalid_request", details: [{ path: "expiresAt" }] });
    }
  });

  test("an agent makes and revokes keys of its own, none of another's, and makes none where the company says so", async () => {
    const [own, other] = [await create({ name: "Own" }), await create({ name: "Other" })];
    const { token } = await server.board.agentKeys.create({ ...of(own.id), body: {} });
    const { agentKeys } = server.as(token ?? "");
    const make = (agentId: string) => agentKeys.create({ ...of(agentId), body: {} });
    const made = await make(own.id);
    await agentKeys.revoke({ params: { agentId: own.id, keyId: made.id } });
    expect(await refusalOf(make(other.id))).toMatchObject({ status: 403, code: "forbidden" });
    await server.board.companies.change({ params: params(), body: { agentsMayCreateKeys: false } });
    expect(await refusalOf(make(own.id))).toMatchObject({ status: 403, code: "forbidden" });
    await server.board.companies.change({ params: params(), body: { agentsMayCreateKeys: true } });
  });
});

test("an agent sees its own company alone, and finds its colleagues there by name", async () => {
  const [ada, bo] = [await create({ name: "Ada Byron" }), await create({ name: "Bo" })];
  const { token } = await server.board.agentKeys.create({ params: { agentId: bo.id }, body: {} });
  const asBo = server.as(token ?? "");
  expect((await asBo.companies.list()).items.map(({ id }) => id)).toEqual([company.id]);
  expect((await asBo.agents.get({ params: { agentId: ada.urlKey } })).id).toBe(ada.id);
  const stranger = await server.board.agents.create({
    params: { companyId: free.id },
    body: { name: "Zed", ...program },
  });
  const refusal = await refusalOf(asBo.agents.get({ params: { agentId: stranger.urlKey } }));
  expect(refusal).toMatchObject({ status: 404, code: "not_found" });
  const byName = { params: { agentId: ada.urlKey } };
  expect((await server.board.agents.get({ ...byName, query: { companyId: company.id } })).id).toBe(ada.id);
  const nowhere = await refusalOf(server.board.agents.get(byName));
  expect(nowhere).toMatchObject({ status: 404, code: "not_found", message: expect.stringContaining("?companyId=") });
  expect(await refusalOf(asBo.agents.get({ params: { agentId: stranger.id } }))).toMatchObject({
    status: 403,
    code: "other_company",
  });
});

test("agents are listed by status, and the tree shows who reports to whom, without those who are terminated", async () => {
  const { id: companyId } = await server.board.companies.create({ body: { name: "Small" } });
  const at = { params: { companyId } };
  const make = (name: string, reportsTo: string | null = null) =>
    server.board.agents.create({ ...at, body: { name, reportsTo, ...program } });
  const boss = await make("Boss");
  const [lead, gone] = [await make("Lead", boss.id), await make("Gone", boss.id)];
  await server.board.agents.pause({ params: { agentId: lead.id } });
  await server.board.agents.terminate({ params: { agentId: gone.id } });
  for (const [status, expected] of [
    ["idle", [boss.id]],
    ["paused", [lead.id]],
    ["terminated", [gone.id]],
    ["error", []],
  ] as const) {
    const { items } = await server.board.agents.list({ ...at, query: { status } });
    expect({ status, ids: items.map(({ id }) => id) }).toEqual({ status, ids: expected });
  }
  const { roots, truncated } = await server.board.agents.org(at);
  expect(truncated).toBe(false);
  expect(roots).toMatchObject([{ name: "Boss", reports: [{ name: "Lead", status: "paused", reports: [] }] }]);
  expect(roots[0]?.reports).toHaveLength(1);
});
