import type { ActivityEntry } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EventSource, openEvents } from "../../../test/event-source.ts";
import { claim, invited } from "../../../test/people.ts";
import { credentialOf, type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { newId } from "../../platform/ids.ts";
import { mayEndAccess } from "./ends-access.ts";

const bearer = (token: string | null): Record<string, string> => ({ authorization: `Bearer ${token}` });
/** What an entry is about that ends a credential. */
const ofAccess = new Set(["agent_key", "agent", "run", "company"]);
const last = (entries: readonly ActivityEntry[]): ActivityEntry | undefined => entries.at(-1);

/** What the same request is answered now. */
async function codeAt(url: string, companyId: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(`${url}/api/companies/${companyId}/events`, {
    headers: { accept: "text/event-stream", ...headers },
  });
  return `${answer.status} ${((await answer.json()) as { code: string }).code}`;
}

describe("who follows with the credential of an agent or a run", () => {
  let ground: RunGround;
  let elsewhere: TestServer;
  beforeAll(async () => {
    ground = await startRunGround();
    elsewhere = await ground.sibling();
  });
  afterAll(() => ground.close());

  interface Case {
    readonly company: TestCompany;
    readonly headers: Record<string, string>;
    /** What ends the credential, on another server. */
    readonly end: () => Promise<unknown>;
    readonly code: string;
  }

  const withKey = async (): Promise<{ company: TestCompany; agentId: string; keyId: string; token: string | null }> => {
    const company = await ground.company();
    const { id: agentId } = await company.agent();
    const { id: keyId, token } = await ground.board.agentKeys.create({ params: { agentId }, body: {} });
    return { company, agentId, keyId, token };
  };
  const inRun = async () => {
    const company = await ground.company();
    const runner = await company.runner();
    await ground.wake((await company.agent()).id);
    const order = await runner.begin();
    return { company, runner, order, headers: bearer(credentialOf(order)), code: "401 run_ended" };
  };
  const cases: Record<string, () => Promise<Case>> = {
    "the key is revoked": async () => {
      const { company, agentId, keyId, token } = await withKey();
      const end = () => elsewhere.board.agentKeys.revoke({ params: { agentId, keyId } });
      return { company, headers: bearer(token), end, code: "401 unauthenticated" };
    },
    "the agent is terminated": async () => {
      const { company, agentId, token } = await withKey();
      const end = () => elsewhere.board.agents.terminate({ params: { agentId } });
      return { company, headers: bearer(token), end, code: "401 unauthenticated" };
    },
    "the run is settled": async () => {
      const { runner, order, ...rest } = await inRun();
      return { ...rest, end: () => runner.at(elsewhere).settle(order) };
    },
    "the run is to end": async () => {
      const { order, ...rest } = await inRun();
      return { ...rest, end: () => elsewhere.board.runs.cancel({ params: { runId: order.runId } }) };
    },
    "the company is paused in a run": async () => {
      const { company, ...rest } = await inRun();
      return { company, ...rest, end: () => elsewhere.board.companies.pause({ params: { companyId: company.id } }) };
    },
  };

  test.each(Object.keys(cases))("P6: is told nothing from the entry on that ends it, and is cut: %s", async (name) => {
    const { company, headers, end, code } = await (cases[name] as () => Promise<Case>)();
    const where = { companyId: company.id, headers };
    const before = (await company.log()).length;
    const [plain, filtered]: [EventSource, EventSource] = await Promise.all([
      openEvents({ ...where, url: ground.server.url, query: "?after=0" }),
      openEvents({ ...where, url: ground.server.url, query: "?entityType=issue" }),
    ]);
    await Promise.all([plain.until(before), filtered.until(0)]);
    await end();
    await elsewhere.board.issues.create({ params: { companyId: company.id }, body: { title: "Not for its eyes" } });
    expect(await Promise.all([plain.ended, filtered.ended])).toEqual([false, false]);
    const ending = (await company.log()).find(({ seq, entityType }) => seq > before && ofAccess.has(entityType));
    expect(last(plain.entries)?.seq).toBeLessThan(ending?.seq ?? 0);
    expect(filtered.entries).toEqual([]);
    expect(await codeAt(ground.server.url, company.id, headers)).toBe(code);
  });

  test("a paused agent's key reads on", async () => {
    const { company, agentId, token } = await withKey();
    const before = (await company.log()).length;
    const source = await openEvents({ url: ground.server.url, companyId: company.id, headers: bearer(token) });
    await ground.board.agents.pause({ params: { agentId } });
    await company.issue();
    await source.until(2);
    expect(source.entries.map(({ seq }) => seq)).toEqual(source.entries.map((_, index) => before + 1 + index));
    source.cut();
  });
});

describe("a person who follows", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ mode: "authenticated", beatMs: 20 });
  });
  afterAll(() => server.close());

  test("P6: is told nothing from the entry on that removes it as a member, and is cut; so is who has signed out", async () => {
    const owner = await claim(server);
    const { id: companyId } = await owner.client.companies.create({ body: { name: "Watched" } });
    const [leaving, staying] = await Promise.all(
      ["leaving", "staying"].map((name) =>
        invited(server, owner.client, { companyId, role: "viewer", email: `${name}@example.com` }),
      ),
    );
    const follow = (cookie = "") => openEvents({ url: server.url, companyId, query: "?after=0", headers: { cookie } });
    const members = (await owner.client.members.list({ params: { companyId } })).items;
    const memberId = members.find(({ email }) => email === leaving?.email)?.id ?? "";
    const [left, stayed] = await Promise.all([follow(leaving?.cookie), follow(staying?.cookie)]);
    const before = (await owner.client.activity.list({ params: { companyId } })).items.length;
    await Promise.all([left?.until(before), stayed?.until(before)]);
    await owner.client.members.remove({ params: { companyId, memberId } });
    expect(await left?.ended).toBe(false);
    expect(left?.entries).toHaveLength(before);
    expect(await codeAt(server.url, companyId, { cookie: leaving?.cookie ?? "" })).toBe("403 other_company");
    await stayed?.until(before + 1);
    expect(last(stayed?.entries ?? [])?.action).toBe("member.removed");
    await staying?.client.auth.signOut();
    expect(await stayed?.ended).toBe(false);
    expect(await codeAt(server.url, companyId, { cookie: staying?.cookie ?? "" })).toBe("401 unauthenticated");
  });
});

test("an entry makes the access of those be looked at whose it may have ended", () => {
  const [agentId, runId, companyId] = [newId(), newId(), newId()];
  const board = { kind: "board", userId: newId() } as const;
  const permissions = { canCreateAgents: false, canManageSkills: false, canAssignTasks: false };
  const known = { agentId, companyId, name: "Ada", status: "idle", companyStatus: "active", permissions } as const;
  const agent = { kind: "agent", runId, ...known } as const;
  const told = (entityType: string, entityId: string, details = {}) => ({ entityType, entityId, details });
  const cases = [
    [told("company", companyId), [agent]],
    [told("member", newId()), [board]],
    [told("agent", agentId), [agent]],
    [told("agent", newId()), []],
    [told("run", runId), [agent]],
    [told("run", newId()), []],
    [told("agent_key", newId(), { agentId }), [agent]],
    [told("agent_key", newId(), { agentId: newId() }), []],
    [told("issue", newId()), []],
  ] as const;
  for (const [entry, callers] of cases) {
    expect([board, agent].filter((caller) => mayEndAccess(caller, entry))).toEqual(callers);
  }
});
