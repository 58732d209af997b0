import { type Issue, localBoardUserId } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IssueGround, startIssueGround } from "../../../test/issue-ground.ts";
import { scopeIn } from "../../../test/module-door.ts";
import { searchableIssue, searchableText, searchPattern } from "./searchable-text.ts";
import { listIssues } from "./store.ts";

const nobodysId = "0198f000-0000-7000-8000-00000000dead";

describe("lists of issues", () => {
  let ground: IssueGround;
  let companyId: string;
  beforeAll(async () => {
    ground = await startIssueGround();
    ({ companyId } = ground);
  });
  afterAll(() => ground.server.close());

  const list = async (query: object, within = companyId): Promise<Issue[]> =>
    (await ground.board.issues.list({ params: { companyId: within }, query })).items;
  const titles = async (query: object): Promise<string[]> => (await list(query)).map(({ title }) => title);

  test("each filter finds what it names, newest first, and several together what fits all of them", async () => {
    const ada = await ground.agent("Ada");
    const epic = await ground.issue({ title: "epic", status: "backlog", priority: "low" });
    const parentId = epic.id;
    await ground.issue({ title: "one", parentId, status: "in_progress", assigneeAgentId: ada.id });
    await ground.issue({ title: "two", parentId, status: "done", assigneeAgentId: ada.id, priority: "critical" });
    await ground.issue({ title: "three", parentId, status: "todo", priority: "critical" });
    expect(await titles({})).toEqual(["three", "two", "one", "epic"]);
    expect(await titles({ parentId })).toEqual(["three", "two", "one"]);
    expect(await titles({ status: "done" })).toEqual(["two"]);
    expect(await titles({ status: "todo,backlog,todo" })).toEqual(["three", "epic"]);
    expect(await titles({ priority: "critical" })).toEqual(["three", "two"]);
    expect(await titles({ assigneeAgentId: ada.id })).toEqual(["two", "one"]);
    expect(await titles({ assigneeAgentId: ada.id, status: "todo,in_progress,blocked" })).toEqual(["one"]);
    expect(await titles({ parentId, priority: "critical", status: "todo,done", q: "t" })).toEqual(["three", "two"]);
    await ground.issue({ title: "four", status: "blocked", assigneeUserId: localBoardUserId });
    await ground.issue({ title: "five", status: "done", assigneeUserId: localBoardUserId });
    expect(await titles({ assigneeUserId: localBoardUserId })).toEqual(["five", "four"]);
    expect(await titles({ assigneeUserId: localBoardUserId, status: "blocked,todo" })).toEqual(["four"]);
    expect(await titles({ assigneeUserId: ada.id })).toEqual([]);
    expect(await titles({ assigneeAgentId: epic.id.replace(/^.{8}/, "00000000") })).toEqual([]);
  });

  test("pages put together are the whole list, whatever is created meanwhile", async () => {
    const within = await ground.company("Pages");
    const create = (title: string, status: "todo" | "blocked" = "todo") =>
      ground.board.issues.create({ params: { companyId: within }, body: { title, status } });
    const made: string[] = [];
    for (let n = 0; n < 11; n += 1) made.push((await create(`Issue ${n}`, n % 2 ? "todo" : "blocked")).title);
    for (const filter of [{}, { status: "todo,blocked" }, { q: "issue" }]) {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const query = { ...filter, limit: 3, ...(cursor && { cursor }) };
        const page = await ground.board.issues.list({ params: { companyId: within }, query });
        seen.push(...page.items.map(({ title }) => title));
        await create("Later issue");
        cursor = page.next;
      } while (cursor !== null);
      expect(seen.filter((title) => title !== "Later issue")).toEqual(made.toReversed());
    }
  });

  test("a filter by another company's id is refused, by nobody's finds nothing; what is no status is told", async () => {
    const elsewhere = await ground.company("Elsewhere");
    const params = { companyId: elsewhere };
    const foreign = await ground.board.issues.create({ params, body: { title: "Foreign" } });
    const body = { name: "Eve", adapterType: "process", adapterConfig: { command: "true" } };
    const eve = await ground.board.agents.create({ params, body });
    await expect(list({ parentId: foreign.id })).rejects.toMatchObject({ code: "other_company" });
    await expect(list({ assigneeAgentId: eve.id })).rejects.toMatchObject({ code: "other_company" });
    expect(await list({ parentId: nobodysId })).toEqual([]);
    expect(await list({ assigneeAgentId: nobodysId })).toEqual([]);
    await expect(list({ status: "todo,doing" })).rejects.toMatchObject({
      code: "invalid_request",
      details: [{ path: "status", message: expect.stringContaining("in_progress") }],
    });
  });

  test("a list costs two statements, with any filter", async () => {
    const { id } = await ground.agent("Grace");
    await ground.issue({ title: "Cheap to list", assigneeAgentId: id });
    for (const query of [{}, { status: "todo,done" }, { assigneeAgentId: id }, { q: "cheap" }]) {
      expect(await ground.cost(() => list(query))).toBeLessThanOrEqual(2);
    }
  });

  test("a search finds number, identifier, title and description, in any case and script, and takes nothing for a wildcard", async () => {
    const plain = await ground.issue({ title: "Fix the LOGIN page", description: "100 % of users, see a_b\\c" });
    const german = await ground.issue({ title: "Ärger mit Größe", description: "(schnell)" });
    const russian = await ground.issue({ title: "Починить вход", description: "日本語のテスト" });
    const found = async (q: string): Promise<string[]> => (await list({ q })).map(({ id }) => id);
    for (const q of ["login", "ogin pa", "LOGIN  page", "100 %", "a_b\\c", "fi", plain.identifier.toLowerCase()]) {
      expect(await found(q), q).toContain(plain.id);
    }
    expect(await found(plain.identifier.split("-")[1] ?? "")).toContain(plain.id);
    expect(await found("ärg")).toEqual([german.id]);
    expect(await found("GRÖSSE")).toEqual([]);
    expect(await found("größe")).toEqual([german.id]);
    expect(await found("(schnell)")).toEqual([german.id]);
    expect(await found("ПОЧИНИТЬ")).toEqual([russian.id]);
    expect(await found("日本")).toEqual([russian.id]);
    for (const q of ["%", "_", "a%c", "l_gin", "og", "aabt"]) expect(await found(q), q).not.toContain(german.id);
    expect(await found("l_gin")).toEqual([]);
    expect(await found("og")).toEqual([]);
  });

  test("a search finds what an issue says now, and nothing of other companies", async () => {
    const { board } = ground;
    const { id: issueId } = await ground.issue({ title: "Sparrow", description: "blue" });
    const elsewhere = await ground.company("Birds");
    await board.issues.create({ params: { companyId: elsewhere }, body: { title: "Sparrow" } });
    expect(await titles({ q: "sparrow" })).toEqual(["Sparrow"]);
    await board.issues.change({ params: { issueId }, body: { title: "Nightingale" } });
    expect(await titles({ q: "sparrow" })).toEqual([]);
    expect(await titles({ q: "nightingale blue" })).toEqual(["Nightingale"]);
    await board.issues.change({ params: { issueId }, body: { description: "grey" } });
    expect(await titles({ q: "blue" })).toEqual([]);
  });

  test("a search of any script goes by the index once there is much to search", async () => {
    const { driver } = ground.server.database;
    const within = await ground.company("Archive");
    await driver`
      insert into issues (company_id, id, number, identifier, title, status, priority, created_at, updated_at)
      select ${within}, uuidv7(), n, 'AR-' || n, 'Old ' || n, 'todo', 'low', now(), now() from generate_series(1, 20000) n`;
    await driver`
      insert into issue_texts (company_id, issue_id, text)
      select company_id, id, ' ' || number || ' ' || md5(number::text) || ' old' from issues where company_id = ${within}`;
    await driver`analyze issues, issue_texts`;
    const filters = { status: undefined, priority: undefined, assigneeAgentId: undefined, parentId: undefined };
    for (const q of ["login", "lo", "вход", "語", "--"]) {
      const page = { ...filters, limit: 51, before: null, search: searchPattern(q) };
      const { sql, params } = listIssues(scopeIn(ground.server, within), page).toSQL();
      const plan = await driver.unsafe<{ "QUERY PLAN": string }[]>(`explain ${sql}`, params as never[]);
      expect(plan.map((line) => line["QUERY PLAN"]).join("\n"), q).toContain("issue_texts_search");
    }
  });
});

describe("searchable texts", () => {
  test.each([
    ["small letters, digits and single spaces stay", "fix \t\n THE  bug 12", "fix the bug 12"],
    ["anything else becomes four capital letters", "a-b", "aAABTb"],
    ["each half of a surrogate pair, too", "🚀", "DFTOCKGS".length],
    ["letters that look the same are the same", "ﬁle", "file"],
  ])("%s", (_, text, expected) => {
    const searchable = searchableText(text);
    expect(typeof expected === "number" ? searchable.length : searchable).toBe(expected);
  });

  test("no character is written as another one", () => {
    const all = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
    const codes = all.filter((character) => !/[a-z0-9\s]/i.test(character)).map((one) => [one.toLowerCase(), one]);
    const same = new Map<string, string>();
    for (const [lower = "", one = ""] of codes) {
      const code = searchableText(one);
      if (one.normalize("NFKC") !== one || lower !== one) continue;
      expect(same.get(code), `${one} and ${same.get(code)}`).toBeUndefined();
      same.set(code, one);
    }
    expect(same.size).toBeGreaterThan(40_000);
  });

  test("the number has its place as a word of its own and in the identifier", () => {
    const issue = { identifier: "ACM-12", title: "Fix #3", description: null };
    expect(searchableIssue(issue)).toBe(" # acmAABT# fix AABJ3 ");
  });

  test("one or two letters are looked for where words begin", () => {
    expect(["fi", "fix", "é"].map(searchPattern)).toEqual(["% fi%", "%fix%", "%AAIZ%"]);
  });
});
