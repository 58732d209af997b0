import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IssueGround, startIssueGround } from "../../../test/issue-ground.ts";
import { identifierOf } from "./identifier.ts";

const nobodysId = "0198f000-0000-7000-8000-00000000dead";

describe("issues", () => {
  let ground: IssueGround;
  beforeAll(async () => {
    ground = await startIssueGround();
  });
  afterAll(() => ground.server.close());

  test("an issue is created with every default said, and found by id and by identifier in any case", async () => {
    const { board, companyId } = ground;
    const company = await board.companies.get({ params: { companyId } });
    const issue = await ground.issue({ title: "  Fix the login  " });
    expect(issue).toEqual({
      id: issue.id,
      companyId,
      identifier: expect.stringMatching(new RegExp(`^${company.issuePrefix}-\\d+$`)),
      title: "Fix the login",
      description: null,
      status: "todo",
      priority: "medium",
      assigneeAgentId: null,
      assigneeUserId: null,
      parentId: null,
      createdByAgentId: null,
      createdByUserId: "00000000-0000-7000-8000-000000000001",
      checkout: null,
      startedAt: null,
      completedAt: null,
      createdAt: issue.createdAt,
      updatedAt: issue.createdAt,
    });
    for (const name of [issue.id, issue.identifier, issue.identifier.toLowerCase()]) {
      expect(await board.issues.get({ params: { issueId: name } })).toEqual(issue);
    }
    expect(await ground.logOf(issue.id)).toEqual([`The board created ${issue.identifier} “Fix the login”`]);
  });

  test("an agent's issue names the agent, and is found by it under its identifier", async () => {
    const { id, client } = await ground.agent("Ada");
    const { companyId } = ground;
    const issue = await client.issues.create({ params: { companyId }, body: { title: "Look into it" } });
    expect(issue).toMatchObject({ createdByAgentId: id, createdByUserId: null });
    expect(await client.issues.get({ params: { issueId: issue.identifier } })).toEqual(issue);
    expect(await ground.logOf(issue.id)).toEqual([`Ada created ${issue.identifier} “Look into it”`]);
  });

  test("issues created at once, on two servers and with refused ones between, are numbered without a gap", async () => {
    const companyId = await ground.company("Numbers");
    const sibling = await ground.server.sibling();
    try {
      const create = (n: number, parentId: string | null) =>
        (n % 2 ? ground.board : sibling.board).issues.create({
          params: { companyId },
          body: { title: `Issue ${n}`, parentId },
        });
      const wishes = Array.from({ length: 60 }, (_, n) => create(n, n % 5 === 0 ? nobodysId : null));
      const made = (await Promise.allSettled(wishes)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const numbers = made.map(({ identifier }) => Number(identifier.split("-")[1])).toSorted((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 48 }, (_, n) => n + 1));
    } finally {
      await sibling.close();
    }
  });

  test("creating an issue costs at most six statements, giving it to an agent one more, its wake; with a key what it begins is counted", async () => {
    const { companyId } = ground;
    const lead = await ground.agent("Lead");
    const { id } = await ground.agent("Report", { reportsTo: lead.id });
    const parent = await ground.issue();
    const body = { title: "Cheap", parentId: parent.id };
    const given = { ...body, assigneeAgentId: id };
    for (const [client, plain, waking] of [
      [ground.board, 6, 7],
      [lead.client, 6, 8],
    ] as const) {
      const create = (wish: typeof body) =>
        ground.cost(() => client.issues.create({ params: { companyId }, body: wish }));
      expect(await create(body)).toBeLessThanOrEqual(plain);
      expect(await create(given)).toBeLessThanOrEqual(waking);
    }
  });

  test("a change changes what it names, and says so in the log; what equals the present value is no change", async () => {
    const { board } = ground;
    const { id: issueId, identifier, createdAt } = await ground.issue({ title: "Old", description: "Stays" });
    const change = (body: object, ifMatch?: number) =>
      board.issues.change({ params: { issueId }, body, ...(ifMatch && { ifMatch }) });
    const changed = await change({ title: "New", priority: "high", status: "in_progress" }, 1);
    expect(changed).toMatchObject({ title: "New", priority: "high", status: "in_progress", description: "Stays" });
    expect(await change({ title: "New", priority: "high", status: "in_progress" }, 2)).toEqual(changed);
    expect(await change({ description: null }, 2)).toMatchObject({ description: null, createdAt });
    expect(await ground.logOf(issueId)).toEqual([
      `The board created ${identifier} “Old”`,
      `The board changed title, priority of ${identifier} “New”`,
      `The board moved ${identifier} “New” from todo to in_progress`,
      `The board changed description of ${identifier} “New”`,
    ]);
  });

  test("a change based on an older version, or not from this state, is refused", async () => {
    const { board } = ground;
    const { id: issueId } = await ground.issue({ status: "backlog" });
    const change = (body: object, ifMatch: number) => board.issues.change({ params: { issueId }, body, ifMatch });
    await change({ title: "Second version" }, 1);
    await ground.refused("stale_revision", () => change({ title: "Third", comment: "Too late" }, 1));
    const { details } = await ground.refused("wrong_state", () => change({ status: "in_review", title: "No" }, 2));
    expect(details[0]).toEqual({
      path: "status",
      message: "is backlog",
      allowed: ["todo", "in_progress", "blocked"],
    });
  });

  test("the first start stays, and the end is there only while the issue is closed", async () => {
    const { board } = ground;
    const { id: issueId } = await ground.issue();
    const move = (status: "todo" | "in_progress" | "done") =>
      board.issues.change({ params: { issueId }, body: { status } });
    const { startedAt } = await move("in_progress");
    expect(startedAt).not.toBeNull();
    expect((await move("done")).completedAt).not.toBeNull();
    expect(await move("todo")).toMatchObject({ startedAt, completedAt: null });
    expect(await move("in_progress")).toMatchObject({ startedAt, completedAt: null });
    const imported = await ground.issue({ status: "cancelled" });
    expect(imported).toMatchObject({ startedAt: null, completedAt: imported.createdAt });
  });

  test("an issue is never a part of itself, also when two moves would close a circle together", async () => {
    const { board } = ground;
    const [a, b] = [await ground.issue(), await ground.issue()];
    const move = (issueId: string, parentId: string | null) =>
      board.issues.change({ params: { issueId }, body: { parentId } });
    await ground.refused("parent_cycle", () => move(a.id, a.id));
    const both = await Promise.allSettled([move(a.id, b.id), move(b.id, a.id)]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [above, below] = both[0].status === "fulfilled" ? [b, a] : [a, b];
    const leaf = await ground.issue({ parentId: below.id });
    await ground.refused("parent_cycle", () => move(above.id, leaf.id));
    expect(await move(below.id, null)).toMatchObject({ parentId: null });
  });

  test("what a body or a path names belongs to the same company, or the issue stays as it is", async () => {
    const { board, companyId } = ground;
    const elsewhere = await ground.company("Elsewhere");
    const foreign = await board.issues.create({ params: { companyId: elsewhere }, body: { title: "Foreign" } });
    const { client } = await ground.agent("Bob");
    const { id: issueId } = await ground.issue();
    for (const caller of [board, client]) {
      const create = (parentId: string) =>
        caller.issues.create({ params: { companyId }, body: { title: "x", parentId } });
      const change = (parentId: string) => caller.issues.change({ params: { issueId }, body: { parentId } });
      await ground.refused("other_company", () => create(foreign.id));
      await ground.refused("unknown_reference", () => create(nobodysId));
      await ground.refused("other_company", () => change(foreign.id));
      await ground.refused("unknown_reference", () => change(nobodysId));
    }
    const change = (name: string) => client.issues.change({ params: { issueId: name }, body: { title: "Stolen" } });
    await ground.refused("other_company", () => change(foreign.id));
    await ground.refused("not_found", () => change(foreign.identifier));
    await ground.refused("not_found", () => change(nobodysId));
    await ground.refused("not_found", () => board.issues.get({ params: { issueId: "NOPE-1" } }));
  });

  test("in an archived company no issue is created, changed, commented on or released", async () => {
    const { board } = ground;
    const companyId = await ground.company("Archive");
    const issue = await board.issues.create({ params: { companyId }, body: { title: "Before" } });
    const body = { name: "Clerk", adapterType: "process", adapterConfig: { command: "true" } };
    const agent = await board.agents.create({ params: { companyId }, body });
    const params = { issueId: issue.id };
    const held = await board.issues.checkout({ params, body: { agentId: agent.id } });
    await board.companies.archive({ params: { companyId } });
    await ground.refused("wrong_state", () => board.issues.create({ params: { companyId }, body: { title: "After" } }));
    await ground.refused("wrong_state", () => board.issues.change({ params, body: { title: "After" } }));
    await ground.refused("wrong_state", () => board.issues.addComment({ params, body: { body: "After" } }));
    await ground.refused("wrong_state", () => board.issues.release({ params }));
    expect(await board.issues.get({ params })).toEqual(held);
  });

  test("the database itself refuses an issue that points into another company", async () => {
    const { driver } = ground.server.database;
    const elsewhere = await ground.company("Far");
    const [foreign, own] = [
      await ground.board.issues.create({ params: { companyId: elsewhere }, body: { title: "Foreign" } }),
      await ground.issue(),
    ];
    await expect(driver`update issues set parent_id = ${foreign.id} where id = ${own.id}`).rejects.toMatchObject({
      constraint_name: "issues_parent",
    });
  });
});

test.each([
  ["ACM-12", { prefix: "ACM", number: 12 }],
  ["acm-12", { prefix: "ACM", number: 12 }],
  ["A1-999999999", { prefix: "A1", number: 999_999_999 }],
  ["ACM-0", null],
  ["ACM-012", null],
  ["ACM-1234567890", null],
  ["ACM12", null],
  ["A-1", null],
  ["ACM-1 ", null],
])("%j taken apart as an identifier", (text, identifier) => {
  expect(identifierOf(text)).toEqual(identifier);
});
