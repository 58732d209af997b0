import { createHash } from "node:crypto";
import type { Agent, Approval, BodyInput, Contract } from "@roster/contract";
import canonicalize from "canonicalize";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

const program = { adapterType: "process", adapterConfig: { command: "true" } } as const;

let server: TestServer;
let companyId: string;
beforeAll(async () => {
  server = await startTestServer();
  companyId = (await server.board.companies.create({ body: { name: "Deciding" } })).id;
});
afterAll(() => server.close());

const params = () => ({ companyId });
const at = ({ id }: Approval) => ({ params: { approvalId: id } });
async function openHire(more: Partial<BodyInput<Contract["hires"]["request"]>> = {}) {
  const body = { name: "Eva", ...program, ...more };
  const { agent, approval } = await server.board.hires.request({ params: params(), body });
  return { agent, approval: approval ?? expect.fail("no approval was asked for") };
}
const statusOf = async ({ id }: Agent): Promise<string> =>
  (await server.board.agents.get({ params: { agentId: id } })).status;
const issue = async (): Promise<string> =>
  (await server.board.issues.create({ params: params(), body: { title: "Hire somebody" } })).id;

describe("what becomes of a hire, and of its agent", () => {
  test("it is answered whole: who asked, what, under which digest; nobody has decided", async () => {
    const { agent, approval } = await openHire();
    expect(approval).toMatchObject({
      companyId,
      type: "hire_agent",
      status: "pending",
      payloadVersion: 1,
      agentId: agent.id,
      requestedByAgentId: null,
      requestedByUserId: "00000000-0000-7000-8000-000000000001",
      decisionNote: null,
      decidedByUserId: null,
      decidedAt: null,
    });
    expect(approval.payloadDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(await server.board.approvals.get(at(approval))).toMatchObject(approval);
  });

  test("its digest, like the hash of a revision, is SHA-256 of the canonical form: anybody can compute it", async () => {
    const { agent, approval } = await openHire({ instructionsBundle: { files: { "AGENTS.md": "é\n" } } });
    const digestOf = (value: unknown): string =>
      createHash("sha256")
        .update(canonicalize(value) ?? "")
        .digest("hex");
    expect(approval.payloadDigest).toBe(digestOf(approval.payload));
    const { configurations } = server.board;
    const { revision } = await configurations.get({ params: { agentId: agent.id } });
    const read = await configurations.getRevision({ params: { agentId: agent.id, revisionId: revision.id } });
    expect(revision.contentHash).toBe(digestOf(read.content));
  });

  test("approved, the agent is idle, and note, decider and time are kept", async () => {
    const { agent, approval } = await openHire();
    const decided = await server.board.approvals.approve({ ...at(approval), body: { decisionNote: "Welcome" } });
    expect(decided).toMatchObject({ status: "approved", decisionNote: "Welcome" });
    expect(decided.decidedByUserId).toBe("00000000-0000-7000-8000-000000000001");
    expect(decided.decidedAt).not.toBeNull();
    expect(await statusOf(agent)).toBe("idle");
  });

  test.each([
    ["rejected", "reject", "pending"],
    ["rejected", "reject", "revision_requested"],
    ["cancelled", "cancel", "pending"],
    ["cancelled", "cancel", "revision_requested"],
  ] as const)("%s by %s while %s, the agent is terminated", async (status, verdict, before) => {
    const { agent, approval } = await openHire();
    const { approvals } = server.board;
    if (before === "revision_requested") await approvals.requestRevision({ ...at(approval), body: {} });
    expect(await statusOf(agent)).toBe("pending_approval");
    const decided = await approvals[verdict]({ ...at(approval), body: { decisionNote: "No" } });
    expect(decided).toMatchObject({ status, decisionNote: "No" });
    expect(await statusOf(agent)).toBe("terminated");
  });

  test("sent back, the board too may resubmit it; only what was sent back is resubmitted", async () => {
    const { approval } = await openHire();
    const { approvals } = server.board;
    const early = approvals.resubmit({ ...at(approval), body: {} });
    await expect(early).rejects.toMatchObject({ status: 409, code: "wrong_state" });
    const sentBack = await approvals.requestRevision({ ...at(approval), body: { decisionNote: "Cheaper" } });
    expect(sentBack).toMatchObject({ status: "revision_requested", decisionNote: "Cheaper" });
    const again = await approvals.resubmit({ ...at(approval), body: { payload: { budgetMonthlyCents: 100 } } });
    expect(again).toMatchObject({ status: "pending", payloadVersion: 2, payload: { budgetMonthlyCents: 100 } });
  });

  test("approvals are listed by status and type", async () => {
    const { approval } = await openHire();
    await server.board.approvals.reject({ ...at(approval), body: {} });
    const asked = await server.board.approvals.request({
      params: params(),
      body: { type: "board_request", payload: { title: "A rise", body: "Please." } },
    });
    const list = async (query: { status?: Approval["status"]; type?: Approval["type"] }) =>
      (await server.board.approvals.list({ params: params(), query: { ...query, limit: 200 } })).items;
    const rejected = await list({ status: "rejected" });
    expect(rejected.map(({ id }) => id)).toContain(approval.id);
    expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect((await list({ type: "board_request" })).map(({ id }) => id)).toEqual([asked.id]);
    expect(await list({ type: "board_request", status: "rejected" })).toEqual([]);
  });
});

describe("approvals and issues", () => {
  test("an approval has many issues, an issue many approvals; the link tells the first time from the next", async () => {
    const [one, other] = [await openHire(), await openHire()];
    const [here, there] = [await issue(), await issue()];
    const link = (issueId: string, { approval }: typeof one): Promise<Response> =>
      fetch(`${server.url}/api/issues/${issueId}/approvals`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ approvalId: approval.id }),
      });
    const first = await link(here, one);
    expect([first.status, first.headers.get("location")]).toEqual([201, `/api/approvals/${one.approval.id}`]);
    expect((await link(here, one)).status).toBe(200);
    await link(there, one);
    await link(here, other);
    const issuesOf = async ({ approval }: typeof one) =>
      (await server.board.approvals.listIssues(at(approval))).items.map(({ id }) => id);
    const approvalsOf = async (issueId: string) =>
      (await server.board.approvals.listOfIssue({ params: { issueId } })).items.map(({ id }) => id);
    expect((await issuesOf(one)).sort()).toEqual([here, there].sort());
    expect(await issuesOf(other)).toEqual([here]);
    expect((await approvalsOf(here)).sort()).toEqual([one.approval.id, other.approval.id].sort());
    expect(await approvalsOf(there)).toEqual([one.approval.id]);
  });

  test("a comment is markdown, kept to the letter, with links to approval, agent and issue", async () => {
    const { agent, approval } = await openHire({ sourceIssueId: await issue() });
    const sourceIssueId = String(approval.payload["sourceIssueId"]);
    const body = [
      `About [this hire](/api/approvals/${approval.id}) of [Eva](/api/agents/${agent.id}):`,
      "",
      `- *why* <now>? See [the issue](/api/issues/${sourceIssueId}).`,
    ].join("\n");
    const comment = await server.board.approvals.comment({ ...at(approval), body: { body } });
    expect(comment).toMatchObject({ companyId, approvalId: approval.id, issueId: null, body });
    expect((await server.board.approvals.listComments(at(approval))).items).toEqual([comment]);
  });
});
