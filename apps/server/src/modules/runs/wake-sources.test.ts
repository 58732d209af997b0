import { type Agent, env } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  idleProgram,
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
} from "../../../test/run-ground.ts";

describe("what wakes an agent", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  interface Stored {
    readonly source: string;
    readonly issueId: string | null;
    readonly approvalId: string | null;
    readonly skipped: string | null;
    readonly cause: string;
  }
  /** Its wakes, oldest first, each with the action that caused it. */
  const wakesOf = ({ id }: Agent) =>
    ground.sql<Stored[]>`
      select w.source, w.issue_id as "issueId", w.approval_id as "approvalId", w.skipped, a.action as cause
      from wakes w join activity a on a.company_id = w.company_id and a.id = w.cause_id
      where w.agent_id = ${id} order by w.id`;
  const sourcesOf = async (agent: Agent): Promise<string[]> =>
    (await wakesOf(agent)).map(({ source, cause, skipped }) => `${source} by ${cause}${skipped ? `: ${skipped}` : ""}`);
  /** An agent of a company in which nothing else is to do. */
  const alone = async (): Promise<Agent> => {
    company = await ground.company();
    runner = await company.runner();
    return company.agent();
  };
  const change = (issueId: string, body: object) => ground.board.issues.change({ params: { issueId }, body });

  test("an issue wakes whom it is given to, at its creation and by a change; whom it is taken from it does not", async () => {
    const ada = await alone();
    const bo = await company.agent({ name: "Bo" });
    const { id: issueId, identifier } = await company.issue({ assigneeAgentId: ada.id, title: "Rocket" });
    await change(issueId, { assigneeAgentId: bo.id });
    await change(issueId, { title: "Rockets", assigneeAgentId: bo.id });
    expect(await wakesOf(ada)).toMatchObject([
      { source: "assignment", issueId, approvalId: null, skipped: null, cause: "issue.assigned" },
    ]);
    expect(await sourcesOf(bo)).toEqual(["assignment by issue.assigned"]);
    const order = await runner.take({ capacity: 2 });
    expect(order.service).toMatchObject({
      [env("ISSUE_ID")]: issueId,
      [env("WAKE_REASON")]: `${identifier} “Rocket” is yours to do`,
    });
  });

  test("an issue that is put off, or over, wakes nobody until it is to do", async () => {
    const ada = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId: ada.id, status: "backlog" });
    await change(issueId, { title: "Still put off" });
    await change(issueId, { status: "cancelled" });
    expect(await wakesOf(ada)).toEqual([]);
    await change(issueId, { status: "todo" });
    await change(issueId, { status: "in_progress" });
    await change(issueId, { status: "done" });
    expect(await sourcesOf(ada)).toEqual(["assignment by issue.moved"]);
    await change(issueId, { status: "backlog" });
    await change(issueId, { status: "todo" });
    expect(await sourcesOf(ada)).toHaveLength(2);
  });

  test("a comment of the board or of another agent wakes whom the issue is given to, also with a change of it", async () => {
    const ada = await alone();
    const bo = await company.agent({ name: "Bo" });
    const { id: issueId } = await company.issue({ assigneeAgentId: ada.id, status: "backlog" });
    const { id: commentId } = await ground.board.issues.addComment({ params: { issueId }, body: { body: "Why?" } });
    await (await ground.key(bo.id)).issues.addComment({ params: { issueId }, body: { body: "Me too." } });
    await change(issueId, { title: "Other", comment: "Renamed." });
    expect(await sourcesOf(ada)).toEqual(Array.from({ length: 3 }, () => "comment by comment.created"));
    expect(await sourcesOf(bo)).toEqual([]);
    const [run] = await company.runs();
    expect(run?.wakes[0]?.payload).toEqual({ commentId });
    const newest = run?.wakes.at(-1)?.payload["commentId"];
    expect((await runner.take()).service[env("WAKE_COMMENT_ID")]).toBe(newest);
  });

  test("an agent's own words on its issue wake it not, with its key or in a run; each is kept as skipped", async () => {
    const ada = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId: ada.id, status: "backlog" });
    await (await ground.key(ada.id)).issues.addComment({ params: { issueId }, body: { body: "Noted." } });
    await ground.wake(ada.id, { issueId });
    const order = await runner.begin();
    await ground.inRun(order).issues.addComment({ params: { issueId }, body: { body: "Done so far." } });
    await ground.inRun(order).issues.change({ params: { issueId }, body: { status: "todo", comment: "I begin." } });
    expect(await sourcesOf(ada)).toEqual([
      "comment by comment.created: self_caused",
      "on_demand by agent.woken",
      "comment by comment.created: self_caused",
      "assignment by issue.moved: self_caused",
      "comment by comment.created: self_caused",
    ]);
    expect(await company.runs()).toHaveLength(1);
    expect((await company.actions(ada.id)).filter((action) => action === "agent.woken")).toHaveLength(1);
  });

  test("an agent that gives itself another issue in a run is woken for it, in the same chain", async () => {
    const ada = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId: ada.id });
    const order = await runner.begin();
    const params = { companyId: company.id };
    const asAda = ground.inRun(order);
    const next = await asAda.issues.create({ params, body: { title: "Next", assigneeAgentId: ada.id } });
    const runs = await company.runs();
    expect(runs).toMatchObject([
      { issueId: next.id, status: "queued" },
      { issueId, status: "running" },
    ]);
    const rows = await ground.sql<{ hops: number; root: string }[]>`
      select hops, root_id as root from runs where company_id = ${company.id} order by id`;
    expect(rows.map(({ hops }) => hops)).toEqual([1, 2]);
    expect(rows[1]?.root).toBe(rows[0]?.root);
  });

  test("a wake for an issue makes its run as urgent as the issue; a more urgent one raises it, a less urgent one does not", async () => {
    const ada = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId: ada.id, priority: "high" });
    const priority = async (): Promise<number | undefined> => {
      const [row] = await ground.sql<{ priority: number }[]>`select priority from runs where issue_id = ${issueId}`;
      return row?.priority;
    };
    expect(await priority()).toBe(1);
    await change(issueId, { priority: "low", comment: "It can wait." });
    expect(await priority()).toBe(1);
    await change(issueId, { priority: "critical", comment: "It burns." });
    expect(await priority()).toBe(0);
  });

  test("whom a comment mentions it wakes, each once, and who is to do the issue only as such; code and addresses call nobody", async () => {
    const ada = await alone();
    const bo = await company.agent({ name: "Bo" });
    const cy = await company.agent({ name: "Cy" });
    const { id: issueId, identifier } = await company.issue({
      assigneeAgentId: ada.id,
      status: "backlog",
      title: "Rocket",
    });
    const body = "@Bo, and @bo again: ask @ada. Not @nobody, not cy@cy.example, `@cy` or\n```\n@cy\n```\n";
    const { id: commentId } = await ground.board.issues.addComment({ params: { issueId }, body: { body } });
    expect(await sourcesOf(ada)).toEqual(["comment by comment.created"]);
    expect(await wakesOf(bo)).toMatchObject([
      { source: "mention", issueId, approvalId: null, cause: "comment.created" },
    ]);
    expect(await wakesOf(cy)).toEqual([]);
    const run = (await company.runs()).find(({ agentId }) => agentId === bo.id);
    expect(run?.wakes).toMatchObject([{ reason: `You are called on ${identifier} “Rocket”`, payload: { commentId } }]);
    await (await ground.key(bo.id)).issues.addComment({ params: { issueId }, body: { body: "I, @bo, am on it." } });
    expect((await sourcesOf(bo)).at(-1)).toBe("mention by comment.created: self_caused");
  });

  test("an issue that is blocked no more wakes who is to do it; who unblocks it itself is not woken", async () => {
    const ada = await alone();
    const { id: issueId } = await company.issue({ assigneeAgentId: ada.id, status: "blocked" });
    await change(issueId, { status: "in_progress" });
    expect(await sourcesOf(ada)).toEqual(["assignment by issue.assigned", "unblocked by issue.moved"]);
    const order = await runner.begin();
    const asAda = ground.inRun(order).issues;
    await asAda.change({ params: { issueId }, body: { status: "blocked" } });
    await asAda.change({ params: { issueId }, body: { status: "todo" } });
    expect((await sourcesOf(ada)).at(-1)).toBe("unblocked by issue.moved: self_caused");
    await change(issueId, { status: "blocked" });
    await change(issueId, { status: "cancelled" });
    expect(await sourcesOf(ada)).toHaveLength(3);
  });

  test("a part that is over wakes who is to do the whole, and says whether others are open", async () => {
    const ada = await alone();
    const bo = await company.agent({ name: "Bo" });
    const whole = await company.issue({ assigneeAgentId: ada.id, status: "backlog" });
    const part = (title: string) => company.issue({ title, parentId: whole.id, assigneeAgentId: bo.id });
    const [one, two, three] = [await part("One"), await part("Two"), await part("Three")];
    await change(one.id, { status: "done" });
    expect(await wakesOf(ada)).toEqual([]);
    await change(whole.id, { status: "blocked" });
    await change(two.id, { status: "cancelled" });
    await change(three.id, { status: "done" });
    await change(three.id, { title: "Three and done" });
    expect(await wakesOf(ada)).toMatchObject([
      { source: "assignment", issueId: whole.id },
      { source: "child_done", issueId: whole.id, cause: "issue.moved" },
      { source: "child_done", issueId: whole.id, cause: "issue.moved" },
    ]);
    const run = (await company.runs()).find(({ agentId }) => agentId === ada.id);
    expect(run?.wakes.slice(1).map(({ reason }) => reason)).toEqual([
      `${two.identifier} “Two”, a part of ${whole.identifier}, is cancelled. Others of its parts are open.`,
      `${three.identifier} “Three”, a part of ${whole.identifier}, is done. All its parts are over.`,
    ]);
  });

  test("an agent that ends a part in its run on the whole is not woken for that; in a run on the part it is", async () => {
    const ada = await alone();
    const { id: wholeId } = await company.issue({ assigneeAgentId: ada.id });
    const order = await runner.begin();
    const asAda = ground.inRun(order).issues;
    const { id: one } = await company.issue({ parentId: wholeId });
    await asAda.change({ params: { issueId: one }, body: { status: "done" } });
    expect((await sourcesOf(ada)).at(-1)).toBe("child_done by issue.moved: self_caused");
    await runner.settle(order);
    const { id: two } = await company.issue({ parentId: wholeId, assigneeAgentId: ada.id });
    const onPart = await runner.begin();
    await ground.inRun(onPart).issues.change({ params: { issueId: two }, body: { status: "done" } });
    expect((await wakesOf(ada)).at(-1)).toMatchObject({ source: "child_done", issueId: wholeId, skipped: null });
  });

  describe("approvals", () => {
    const ask = async (by: Agent, more: object = {}) => {
      const client = await ground.key(by.id);
      const body = { name: "Eva", ...idleProgram, ...more };
      const { approval } = await client.hires.request({ params: { companyId: company.id }, body });
      return approval ?? expect.fail("the hire needed no approval");
    };

    test("each decision wakes the requester, with the approval and the issue it was about", async () => {
      const ada = await alone();
      const { id: sourceIssueId } = await company.issue();
      const { approvals } = ground.board;
      const asAda = await ground.key(ada.id);
      for (const verdict of ["approve", "reject", "requestRevision"] as const) {
        const { id: approvalId } = await ask(ada, { sourceIssueId });
        await approvals[verdict]({ params: { approvalId }, body: {} });
        expect(await wakesOf(ada)).toContainEqual(
          expect.objectContaining({ source: "approval", issueId: sourceIssueId, approvalId, skipped: null }),
        );
      }
      expect(new Set((await company.runs()).map(({ approvalId }) => approvalId)).size).toBe(3);
      const { id: withoutIssue } = await ask(ada);
      const { id: linked } = await company.issue();
      await asAda.approvals.link({ params: { issueId: linked }, body: { approvalId: withoutIssue } });
      await approvals.reject({ params: { approvalId: withoutIssue }, body: {} });
      expect((await wakesOf(ada)).at(-1)).toMatchObject({ issueId: linked, approvalId: withoutIssue });
    });

    test("whom a comment on an approval mentions it wakes with the approval; who asked hears of the board's once", async () => {
      const ada = await alone();
      const bo = await company.agent({ name: "Bo" });
      const { id: issueId } = await company.issue();
      const { id: approvalId } = await ask(ada, { sourceIssueId: issueId });
      await ground.board.approvals.comment({ params: { approvalId }, body: { body: "@bo and @ada, which budget?" } });
      expect(await sourcesOf(ada)).toEqual(["comment by comment.created"]);
      expect(await wakesOf(bo)).toMatchObject([{ source: "mention", issueId, approvalId, cause: "comment.created" }]);
      await (await ground.key(bo.id)).approvals.comment({ params: { approvalId }, body: { body: "Mine, @ada." } });
      expect(await sourcesOf(ada)).toEqual(["comment by comment.created", "mention by comment.created"]);
    });

    test("P5: wakes of one approval are one run; those of the same issue without it, or of another, are not joined", async () => {
      const ada = await alone();
      const { id: issueId } = await company.issue();
      const first = await ask(ada, { sourceIssueId: issueId });
      const second = await ask(ada, { sourceIssueId: issueId, name: "Zed" });
      for (const { id: approvalId } of [first, second]) {
        await ground.board.approvals.comment({ params: { approvalId }, body: { body: "Which budget?" } });
        await ground.board.approvals.reject({ params: { approvalId }, body: {} });
      }
      await ground.wake(ada.id, { issueId });
      const runs = await company.runs();
      expect(runs.map(({ approvalId }) => approvalId)).toEqual([null, second.id, first.id]);
      for (const run of runs.slice(1)) expect(run.wakes.map(({ source }) => source)).toEqual(["comment", "approval"]);
    });

    test("what the run is told of its approval is what held when it was claimed, whatever happens after", async () => {
      const ada = await alone();
      const [one, two, late] = [await company.issue(), await company.issue(), await company.issue()];
      const { id: approvalId } = await ask(ada, { sourceIssueIds: [one.id, two.id] });
      await ground.board.approvals.comment({ params: { approvalId }, body: { body: "Which budget?" } });
      await ground.board.approvals.requestRevision({ params: { approvalId }, body: {} });
      const order = await runner.begin();
      const told = {
        [env("APPROVAL_ID")]: approvalId,
        [env("APPROVAL_STATUS")]: "revision_requested",
        [env("LINKED_ISSUE_IDS")]: [one.id, two.id].join(","),
      };
      expect(order.service).toMatchObject(told);
      const { approvals } = ground.inRun(order);
      await approvals.resubmit({ params: { approvalId }, body: {} });
      await approvals.link({ params: { issueId: late.id }, body: { approvalId } });
      await ground.board.approvals.approve({ params: { approvalId }, body: {} });
      const { runId, epoch } = order;
      const again = await runner.client.runners.order({ params: { runId }, query: { epoch } });
      expect(again.order).toEqual(order);
      await runner.settle(order);
      const next = await runner.take();
      expect(next.service).toMatchObject({
        ...told,
        [env("APPROVAL_STATUS")]: "approved",
        [env("LINKED_ISSUE_IDS")]: [one.id, two.id, late.id].join(","),
      });
    });

    test("a run about no approval, issue or comment is told of none: the variables are absent, not empty", async () => {
      const ada = await alone();
      await ground.wake(ada.id, { reason: "Just so" });
      const { service, runId } = await runner.take();
      expect(Object.keys(service).sort()).toEqual(
        ["AGENT_ID", "API_KEY", "API_URL", "COMPANY_ID", "RUN_ID", "WAKE_REASON"].map(env),
      );
      expect(service).toMatchObject({
        [env("API_URL")]: ground.server.url.replace("127.0.0.1", "localhost"),
        [env("AGENT_ID")]: ada.id,
        [env("COMPANY_ID")]: company.id,
        [env("RUN_ID")]: runId,
        [env("WAKE_REASON")]: "Just so",
      });
    });
  });
});
