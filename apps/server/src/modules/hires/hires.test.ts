import { Refused } from "@roster/client";
import type { Agent, Approval, Company } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

describe("hiring", () => {
  let server: TestServer;
  let company: Company;
  beforeAll(async () => {
    server = await startTestServer();
    company = await server.board.companies.create({ body: { name: "Hiring" } });
  });
  afterAll(() => server.close());

  const params = () => ({ companyId: company.id });
  const process = { adapterType: "process", adapterConfig: { command: "true" } };
  const sentences = async (): Promise<string[]> => {
    const { items } = await server.board.activity.list({ params: params(), query: { limit: 200 } });
    return items.map(({ sentence }) => sentence);
  };
  async function activeAgent(name: string): Promise<{ agent: Agent; token: string }> {
    const agent = await server.board.agents.create({ params: params(), body: { name, ...process } });
    const { token } = await server.board.agentKeys.create({ params: { agentId: agent.id }, body: {} });
    return { agent, token: token ?? "" };
  }
  async function openHire(by = server.board, name = "Eva"): Promise<{ agent: Agent; approval: Approval }> {
    const { agent, approval } = await by.hires.request({
      params: params(),
      body: { name, role: "engineer", ...process },
    });
    if (approval === null) throw new Error("expected an approval");
    return { agent, approval };
  }
  const refusalOf = async (call: Promise<unknown>): Promise<Refused> => {
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof Refused) return error;
    throw error ?? new Error("was not refused");
  };
  const wakesOf = (agentId: string) =>
    server.database.driver<{ source: string; approvalId: string; issueId: string | null; status: string | null }[]>`
      select source, approval_id as "approvalId", issue_id as "issueId", payload->>'status' as status
      from wakes where agent_id = ${agentId} order by id`;

  test("a hire is one change: pending agent, first revision, approval, links and record", async () => {
    const issue = await server.board.issues.create({ params: params(), body: { title: "We need an engineer" } });
    const { agent, approval } = await server.board.hires.request({
      params: params(),
      body: { name: "Ada", role: "engineer", sourceIssueId: issue.id, ...process },
    });
    expect(agent.status).toBe("pending_approval");
    expect(approval).toMatchObject({ type: "hire_agent", status: "pending", agentId: agent.id, payloadVersion: 1 });
    expect(approval?.payload).toMatchObject({ name: "Ada", desiredSkills: [], sourceIssueId: issue.id });
    const linked = await server.board.approvals.listIssues({ params: { approvalId: approval?.id ?? "" } });
    expect(linked.items.map(({ identifier }) => identifier)).toEqual([issue.identifier]);
    const revisions = await server.board.configurations.listRevisions({ params: { agentId: agent.id } });
    expect(revisions.items).toMatchObject([{ number: 1, source: "create" }]);
    expect((await sentences()).slice(0, 3)).toEqual([
      `The board linked ${issue.identifier} to: hire Ada (engineer)`,
      "The board asked for approval to hire Ada (engineer)",
      "The board proposed the agent Ada (engineer)",
    ]);
  });

  test("without required approval a hire is ready at once, and its approval is null", async () => {
    const free = await server.board.companies.create({
      body: { name: "Free", requireBoardApprovalForNewAgents: false },
    });
    const hire = await server.board.hires.request({ params: { companyId: free.id }, body: { name: "Bo", ...process } });
    expect(hire.agent.status).toBe("idle");
    expect(hire.approval).toBeNull();
  });

  test("P4: a pending agent cannot hold a key, be assigned, changed, synced or paused", async () => {
    const { agent } = await openHire();
    const agentId = agent.id;
    const { board } = server;
    const calls = [
      () => board.agentKeys.create({ params: { agentId }, body: {} }),
      () => board.issues.create({ params: params(), body: { title: "x", assigneeAgentId: agentId } }),
      () => board.agents.change({ params: { agentId }, body: { title: "x" } }),
      () => board.configurations.syncSkills({ params: { agentId }, body: {} }),
    ];
    for (const call of calls) expect((await refusalOf(call())).code).toBe("agent_pending_approval");
    expect((await refusalOf(board.agents.pause({ params: { agentId } }))).code).toBe("wrong_state");
  });

  test("P3: of ten who decide at once one wins, and the others are told so in the documented way", async () => {
    const { agent: requester, token } = await activeAgent("Requester");
    const { agent, approval } = await openHire(server.as(token), "Zed");
    const { approvals } = server.board;
    const input = { params: { approvalId: approval.id }, body: {} };
    const results = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => approvals.approve(input)),
      ...Array.from({ length: 5 }, () => approvals.reject(input)),
    ]);
    const final = (await approvals.get({ params: input.params })).status;
    const won = results.filter((result) => result.status === "fulfilled");
    const lost = results.filter((result) => result.status === "rejected");
    expect(won).toHaveLength(5);
    for (const { reason } of lost) expect(reason).toMatchObject({ status: 409, code: "already_decided" });
    const { items } = await server.board.activity.list({
      params: params(),
      query: { entityId: approval.id, limit: 200 },
    });
    expect(items.filter(({ action }) => /approved|rejected/.test(action))).toHaveLength(1);
    const after = await server.board.agents.get({ params: { agentId: agent.id } });
    expect(after.status).toBe(final === "approved" ? "idle" : "terminated");
    expect(await wakesOf(requester.id)).toMatchObject([{ source: "approval", approvalId: approval.id, status: final }]);
  });

  test("a revision: asked for, resubmitted with a merge patch, compared, approved; each step wakes the requester", async () => {
    const { agent: requester, token } = await activeAgent("Reviser");
    const { agent, approval } = await openHire(server.as(token), "Nia");
    const asRequester = server.as(token);
    const at = { params: { approvalId: approval.id } };
    const { approvals } = server.board;
    await approvals.requestRevision({ ...at, body: { decisionNote: "A title, please" } });
    const patch = { title: "Engineer", adapterConfig: { args: ["-v"] }, permissions: { canAssignTasks: true } };
    const again = await asRequester.approvals.resubmit({ ...at, body: { payload: patch } });
    expect(again).toMatchObject({ status: "pending", payloadVersion: 2, decisionNote: null });
    expect(again.payload).toMatchObject({ title: "Engineer", adapterConfig: { command: "true", args: ["-v"] } });
    expect(again.payloadDigest).not.toBe(approval.payloadDigest);
    const { differences } = await approvals.diff(at);
    expect(differences.map(({ path }) => path)).toEqual(["adapterConfig.args", "permissions.canAssignTasks", "title"]);
    const versions = await approvals.listVersions(at);
    expect(versions.items.map(({ payloadVersion }) => payloadVersion)).toEqual([2, 1]);
    const stale = approvals.approve({ ...at, body: { payloadDigest: approval.payloadDigest } });
    expect((await refusalOf(stale)).code).toBe("payload_changed");
    await approvals.approve({ ...at, body: { payloadDigest: again.payloadDigest } });
    const hired = await server.board.agents.get({ params: { agentId: agent.id } });
    expect(hired).toMatchObject({ status: "idle", title: "Engineer", revisionNumber: 2 });
    expect((await wakesOf(requester.id)).map(({ status }) => status)).toEqual(["revision_requested", "approved"]);
  });

  test("the whole payload may be sent back with what is to be otherwise; what led to the hire stays", async () => {
    const { id: sourceIssueId } = await server.board.issues.create({ params: params(), body: { title: "Too much" } });
    const { approval } = await server.board.hires.request({
      params: params(),
      body: { name: "Uma", sourceIssueId, ...process },
    });
    const at = { params: { approvalId: approval?.id ?? "" } };
    const { approvals } = server.board;
    await approvals.requestRevision({ ...at, body: {} });
    const resubmit = (change: object) =>
      approvals.resubmit({ ...at, body: { payload: { ...approval?.payload, ...change } } });
    const refused = await refusalOf(resubmit({ sourceIssueId: null }));
    expect(refused).toMatchObject({ code: "invalid_request", details: [{ path: "payload.sourceIssueId" }] });
    const again = await resubmit({ title: "Operator" });
    expect(again.payload).toEqual({ ...approval?.payload, title: "Operator" });
  });

  test("the same decision again changes nothing and answers the record", async () => {
    const { approval } = await openHire();
    const at = { params: { approvalId: approval.id }, body: {} };
    const first = await server.board.approvals.reject(at);
    const before = await sentences();
    expect(await server.board.approvals.reject({ ...at, ifMatch: 1 })).toEqual(first);
    expect(await sentences()).toEqual(before);
  });

  test("terminating a pending agent withdraws its hire in the same change", async () => {
    const { agent, approval } = await openHire();
    await server.board.agents.terminate({ params: { agentId: agent.id } });
    const { status } = await server.board.approvals.get({ params: { approvalId: approval.id } });
    expect(status).toBe("cancelled");
  });

  test("only the requester or the board resubmits and withdraws", async () => {
    const { token: requester } = await activeAgent("Owner");
    const { token: other } = await activeAgent("Other");
    const { agent, approval } = await openHire(server.as(requester), "Kim");
    const at = { params: { approvalId: approval.id }, body: {} };
    expect((await refusalOf(server.as(other).approvals.cancel(at))).code).toBe("forbidden");
    expect((await refusalOf(server.as(requester).approvals.approve(at))).code).toBe("forbidden");
    await server.as(requester).approvals.cancel(at);
    expect((await server.board.agents.get({ params: { agentId: agent.id } })).status).toBe("terminated");
  });

  test("an approval whose manager is gone stays pending and says so", async () => {
    const { agent: manager } = await activeAgent("Leaver");
    const { approval } = await server.board.hires.request({
      params: params(),
      body: { name: "Orphan", reportsTo: manager.id, ...process },
    });
    await server.board.agents.terminate({ params: { agentId: manager.id } });
    const at = { params: { approvalId: approval?.id ?? "" } };
    const refusal = await refusalOf(server.board.approvals.approve({ ...at, body: {} }));
    expect(refusal).toMatchObject({ code: "wrong_state", details: [{ path: "payload.reportsTo" }] });
    expect((await server.board.approvals.get(at)).status).toBe("pending");
  });

  test("linking twice, also at once, is one link and one entry; unlinking leads back", async () => {
    const { approval } = await openHire();
    const issue = await server.board.issues.create({ params: params(), body: { title: "Linked" } });
    const link = () =>
      server.board.approvals.link({ params: { issueId: issue.id }, body: { approvalId: approval.id } });
    await Promise.all([link(), link(), link()]);
    const query = { entityId: approval.id, action: "approval.linked" };
    expect((await server.board.activity.list({ params: params(), query })).items).toHaveLength(1);
    const at = { params: { issueId: issue.id } };
    expect((await server.board.approvals.listOfIssue(at)).items.map(({ id }) => id)).toEqual([approval.id]);
    await server.board.approvals.unlink({ params: { issueId: issue.id, approvalId: approval.id } });
    expect((await server.board.approvals.listOfIssue(at)).items).toEqual([]);
  });

  test("a board comment wakes the requester; the requester's own does not", async () => {
    const { agent: requester, token } = await activeAgent("Listener");
    const { approval } = await openHire(server.as(token), "Pat");
    const at = { params: { approvalId: approval.id }, body: { body: "Why?" } };
    await server.as(token).approvals.comment(at);
    expect(await wakesOf(requester.id)).toHaveLength(0);
    await server.board.approvals.comment(at);
    expect(await wakesOf(requester.id)).toMatchObject([{ source: "comment", approvalId: approval.id }]);
    const { items } = await server.board.approvals.listComments({ params: at.params });
    expect(items.map(({ authorAgentId }) => authorAgentId)).toEqual([requester.id, null]);
  });
});
