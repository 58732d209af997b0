import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IssueGround, startIssueGround } from "../../../test/issue-ground.ts";

const nobodysId = "0198f000-0000-7000-8000-00000000dead";

describe("comments on issues", () => {
  let ground: IssueGround;
  beforeAll(async () => {
    ground = await startIssueGround();
  });
  afterAll(() => ground.server.close());

  const comment = (issueId: string, body: string, caller = ground.board) =>
    caller.issues.addComment({ params: { issueId }, body: { body } });
  const bodiesOf = async (issueId: string, query: object = {}): Promise<string[]> =>
    (await ground.board.issues.listComments({ params: { issueId }, query })).items.map(({ body }) => body);

  test("a comment names its author by the credential, and the log says who commented on what", async () => {
    const ada = await ground.agent("Ada");
    const issue = await ground.issue({ title: "Talk" });
    const boards = await comment(issue.identifier, "# Hello\n");
    expect(boards).toEqual({
      id: boards.id,
      companyId: ground.companyId,
      issueId: issue.id,
      approvalId: null,
      body: "# Hello\n",
      authorAgentId: null,
      authorUserId: "00000000-0000-7000-8000-000000000001",
      createdAt: boards.createdAt,
    });
    const agents = await comment(issue.id, "Done.", ada.client);
    expect(agents).toMatchObject({ authorAgentId: ada.id, authorUserId: null });
    expect(await ground.logOf(boards.id)).toEqual([`The board commented on ${issue.identifier} “Talk”`]);
    expect(await ground.logOf(agents.id)).toEqual([`Ada commented on ${issue.identifier} “Talk”`]);
  });

  test("comments are listed oldest first, and pages put together are all of them", async () => {
    const { id: issueId } = await ground.issue();
    const wanted = ["1", "2", "3", "4", "5"];
    for (const body of wanted) await comment(issueId, body);
    expect(await bodiesOf(issueId)).toEqual(wanted);
    const params = { issueId };
    const first = await ground.board.issues.listComments({ params, query: { limit: 2 } });
    await comment(issueId, "6");
    const cursor = first.next ?? "";
    const second = await ground.board.issues.listComments({ params, query: { limit: 200, cursor } });
    expect([...first.items, ...second.items].map(({ body }) => body)).toEqual([...wanted, "6"]);
    expect(second.next).toBeNull();
  });

  test("comments written at once are all there, each with its entry", async () => {
    const { id: issueId, identifier } = await ground.issue({ title: "Busy" });
    const bodies = Array.from({ length: 25 }, (_, n) => `Comment ${n}`);
    await Promise.all(bodies.map((body) => comment(issueId, body)));
    expect((await bodiesOf(issueId)).toSorted()).toEqual(bodies.toSorted());
    const { items } = await ground.board.activity.list({
      params: { companyId: ground.companyId },
      query: { action: "comment.created", limit: 200 },
    });
    expect(items.filter(({ details }) => details["subject"] === `${identifier} “Busy”`)).toHaveLength(25);
  });

  test("a comment on a change is written with it or not at all", async () => {
    const { board } = ground;
    const { id: issueId } = await ground.issue();
    const change = (body: object, ifMatch: number) => board.issues.change({ params: { issueId }, body, ifMatch });
    await change({ status: "done", comment: "It works now." }, 1);
    await ground.refused("stale_revision", () => change({ comment: "Too late." }, 1));
    await ground.refused("wrong_state", () => change({ status: "in_review", comment: "Look." }, 2));
    await change({ comment: "Only said." }, 2);
    await change({ title: "Still version 2", comment: "Said and done." }, 2);
    expect(await bodiesOf(issueId)).toEqual(["It works now.", "Only said.", "Said and done."]);
  });

  test("a comment has 1 to 65,536 bytes of UTF-8", async () => {
    const { id: issueId } = await ground.issue();
    const longest = "ä".repeat(32_768);
    expect((await comment(issueId, longest)).body).toBe(longest);
    for (const body of ["", `${longest}.`, "x".repeat(65_537)]) {
      await ground.refused("invalid_request", () => comment(issueId, body));
      const change = () => ground.board.issues.change({ params: { issueId }, body: { comment: body } });
      await ground.refused("invalid_request", change);
    }
  });

  test("comments of another company are neither read nor written, and what is nobody's has none", async () => {
    const elsewhere = await ground.company("Elsewhere");
    const params = { companyId: elsewhere };
    const { id: foreign } = await ground.board.issues.create({ params, body: { title: "Foreign" } });
    const { client } = await ground.agent("Bob");
    const read = (issueId: string) => client.issues.listComments({ params: { issueId } });
    await ground.refused("other_company", () => read(foreign));
    await ground.refused("other_company", () => comment(foreign, "Mine", client));
    await ground.refused("not_found", () => read(nobodysId));
    await ground.refused("not_found", () => comment(nobodysId, "Mine", client));
    expect((await read((await ground.issue()).id)).items).toEqual([]);
  });

  test("a comment is neither changed nor removed by any route", async () => {
    const { id: issueId } = await ground.issue();
    const { id } = await comment(issueId, "Said is said.");
    for (const method of ["PATCH", "PUT", "DELETE"]) {
      const answer = await fetch(`${ground.server.url}/api/issues/${issueId}/comments/${id}`, { method });
      expect(answer.status).toBe(404);
    }
    expect(await bodiesOf(issueId)).toEqual(["Said is said."]);
  });

  test("the database itself refuses a comment on another company's issue, on nothing or on two things", async () => {
    const { driver } = ground.server.database;
    const elsewhere = await ground.company("Far");
    const params = { companyId: elsewhere };
    const { id: foreign } = await ground.board.issues.create({ params, body: { title: "Foreign" } });
    const { id: own } = await ground.issue();
    const insert = (issueId: string | null, approvalId: string | null) => driver`
      insert into comments (company_id, id, issue_id, approval_id, body, created_at)
      values (${ground.companyId}, gen_random_uuid(), ${issueId}, ${approvalId}, 'x', now())`;
    const constraint = (name: string) => ({ constraint_name: name });
    await expect(insert(foreign, null)).rejects.toMatchObject(constraint("comments_issue_key"));
    await expect(insert(null, null)).rejects.toMatchObject(constraint("comments_one_subject"));
    await expect(insert(own, nobodysId)).rejects.toMatchObject(constraint("comments_one_subject"));
  });

  test("a comment costs at most six statements, a list of them two", async () => {
    const { client } = await ground.agent("Cheap");
    const { id: issueId } = await ground.issue();
    for (const caller of [ground.board, client]) {
      expect(await ground.cost(() => comment(issueId, "Cheap", caller))).toBeLessThanOrEqual(6);
      expect(await ground.cost(() => caller.issues.listComments({ params: { issueId } }))).toBeLessThanOrEqual(2);
    }
  });
});
