import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { nextState } from "../../platform/lifecycle.ts";
import { issuePrefixCandidate } from "./issue-prefix.ts";
import { companyLifecycle } from "./lifecycle.ts";

describe("companies", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const found = (name: string) => server.board.companies.create({ body: { name } });
  const sentences = async (companyId: string): Promise<string[]> =>
    (await server.board.activity.list({ params: { companyId } })).items.map(({ sentence }) => sentence);

  test("a company is created with an identifier prefix derived from its name, and the log says who did it", async () => {
    const company = await found("Acme Rocket Works");
    expect(company).toMatchObject({ issuePrefix: "ARW", status: "active", spentMonthlyCents: 0 });
    expect(company.requireBoardApprovalForNewAgents).toBe(true);
    const { items } = await server.board.activity.list({ params: { companyId: company.id } });
    expect(items.map(({ seq, sentence }) => ({ seq, sentence }))).toEqual([
      { seq: 1, sentence: "The board created the company Acme Rocket Works" },
    ]);
  });

  test("ten companies of one name founded at once get ten prefixes; one that was asked for is never given twice", async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => found("Twin Peaks")));
    expect(new Set(made.map(({ issuePrefix }) => issuePrefix)).size).toBe(10);
    const taken = server.board.companies.create({ body: { name: "Other", issuePrefix: made[0]?.issuePrefix ?? "" } });
    await expect(taken).rejects.toMatchObject({
      status: 409,
      code: "already_exists",
      details: [{ path: "issuePrefix" }],
    });
  });

  test("a company is found by its prefix, and a prefix that nobody has finds nothing", async () => {
    const { id, issuePrefix } = await found("Sought");
    const list = async (prefix: string): Promise<string[]> =>
      (await server.board.companies.list({ query: { issuePrefix: prefix } })).items.map((company) => company.id);
    expect(await list(issuePrefix)).toEqual([id]);
    expect(await list("NOBODY")).toEqual([]);
    expect(await list("no prefix at all")).toEqual([]);
  });

  test("a change names what it changed; what is already so is no change", async () => {
    const { id: companyId } = await found("Changing");
    const changed = await server.board.companies.change({
      params: { companyId },
      body: { goal: "Land on Mars", name: "Changing" },
    });
    expect(changed.goal).toBe("Land on Mars");
    await server.board.companies.change({ params: { companyId }, body: { goal: "Land on Mars" } });
    expect(await sentences(companyId)).toEqual([
      "The board changed goal of the company Changing",
      "The board created the company Changing",
    ]);
    expect((await server.board.companies.change({ params: { companyId }, body: { goal: null } })).goal).toBeNull();
  });

  test("nothing in an archived company changes until it is resumed", async () => {
    const { id: companyId } = await found("Attic");
    const agent = { name: "A", adapterType: "process", adapterConfig: { command: "true" } };
    const resident = await server.board.agents.create({ params: { companyId }, body: agent });
    const skill = "---\nname: dust\ndescription: Dusting\n---\nGently.";
    await server.board.companies.archive({ params: { companyId } });
    const calls = [
      () => server.board.companies.change({ params: { companyId }, body: { goal: "x" } }),
      () => server.board.agents.pause({ params: { agentId: resident.id } }),
      () => server.board.agentKeys.create({ params: { agentId: resident.id }, body: {} }),
      () => server.board.skills.import({ params: { companyId }, body: { files: { "SKILL.md": skill } } }),
      () => server.board.agents.create({ params: { companyId }, body: agent }),
      () => server.board.hires.request({ params: { companyId }, body: agent }),
      () => server.board.issues.create({ params: { companyId }, body: { title: "x" } }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: "wrong_state",
        fix: { path: `/api/companies/${companyId}/resume` },
      });
    }
    await server.board.companies.resume({ params: { companyId } });
    await server.board.companies.change({ params: { companyId }, body: { goal: "x" } });
    expect(await sentences(companyId)).toHaveLength(5);
  });

  test("what was acknowledged by one server is read at once from another", async () => {
    const sibling = await server.sibling();
    const company = await found("Shared");
    expect(await sibling.board.companies.get({ params: { companyId: company.id } })).toEqual(company);
    await sibling.close();
  });

  test("local trusted mode answers no web page: a foreign host or origin is refused, and nothing changes", async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/companies`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ name: "Evil" }),
      });
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const response = await post(headers as Record<string, string>);
      expect([response.status, await response.json()]).toMatchObject([403, { code: "forbidden" }]);
    }
    const { items } = await server.board.companies.list({ query: { limit: 200 } });
    expect(items.map(({ name }) => name)).not.toContain("Evil");
    expect((await post({ origin: server.url })).status).toBe(201);
  });
});

describe("the lifecycle of a company", () => {
  test.each([
    ["pause", { active: "paused" }],
    ["resume", { paused: "active", archived: "active" }],
    ["archive", { active: "archived", paused: "archived" }],
  ] as const)("%s leads just where the table says", (move, expected) => {
    const reached = companyLifecycle.states.flatMap((state) => {
      const next = nextState(companyLifecycle, move, state);
      return next === undefined ? [] : [[state, next]];
    });
    expect(Object.fromEntries(reached)).toEqual(expected);
  });
});

test.each([
  ["Acme", 0, "ACM"],
  ["Acme Rocket Works", 0, "ARW"],
  ["Acme", 1, "ACM2"],
  ["机器人", 0, "XX"],
  ["4 Winds", 0, "WIN"],
  ["É", 2, "EX3"],
])("the issue prefix of %s, candidate %i, is %s", (name, n, expected) => {
  expect(issuePrefixCandidate(name, n)).toBe(expected);
});
