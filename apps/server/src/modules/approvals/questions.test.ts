import type { Client } from "@roster/client";
import { Refused } from "@roster/client";
import type { Agent, Approval, Company } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

describe("questions to the board", () => {
  let server: TestServer;
  let company: Company;
  beforeAll(async () => {
    server = await startTestServer();
    company = await server.board.companies.create({ body: { name: "Asking" } });
  });
  afterAll(() => server.close());

  const params = () => ({ companyId: company.id });
  const program = { adapterType: "process", adapterConfig: { command: "true" } };
  async function activeAgent(name: string, more: object = {}): Promise<{ agent: Agent; client: Client }> {
    const agent = await server.board.agents.create({ params: params(), body: { name, ...program, ...more } });
    const { token } = await server.board.agentKeys.create({ params: { agentId: agent.id }, body: {} });
    return { agent, client: server.as(token ?? "") };
  }
  const agentNow = (agentId: string): Promise<Agent> => server.board.agents.get({ params: { agentId } });
  const refusalOf = async (call: Promise<unknown>): Promise<Refused> => {
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof Refused) return error;
    throw error ?? new Error("was not refused");
  };
  const actionsOf = async (entityId: string): Promise<string[]> => {
    const { items } = await server.board.activity.list({ params: params(), query: { entityId, limit: 200 } });
    return items.map(({ action }) => action).reverse();
  };
  const wakesOf = async (agentId: string) => {
    const rows = await server.database.driver<{ source: string; approvalId: string; status: string | null }[]>`
      select source, approval_id as "approvalId", payload->>'status' as status
      from wakes where agent_id = ${agentId} and approval_id is not null order by id`;
    return [...rows];
  };
  const propose = (by: Client, agentId: string, patch: object, more: object = {}): Promise<Approval> =>
    by.approvals.request({
      params: params(),
      body: { type: "config_change", payload: { agentId, patch, ...more } },
    });
  const at = ({ id }: Approval) => ({ params: { approvalId: id } });
  const status = async (approval: Approval): Promise<string> => (await server.board.approvals.get(at(approval))).status;

  describe("config_change", () => {
    test("an agent proposes a change of itself; approved, it is made in the deciding change, as a revision of the board", async () => {
      const { agent, client } = await activeAgent("Ada");
      const issue = await server.board.issues.create({ params: params(), body: { title: "Too slow" } });
      const patch = { adapterConfig: { args: ["-v"] }, budgetMonthlyCents: 500 };
      const approval = await client.approvals.request({
        params: params(),
        body: { type: "config_change", payload: { agentId: agent.id, patch }, issueIds: [issue.id] },
      });
      expect(approval).toMatchObject({ type: "config_change", status: "pending", agentId: agent.id });
      expect(approval.requestedByAgentId).toBe(agent.id);
      expect(approval.payload).toMatchObject({
        baseRevision: 1,
        patch,
        differences: [
          { path: "adapterConfig.args", before: null, after: ["-v"] },
          { path: "budgetMonthlyCents", before: 0, after: 500 },
        ],
      });
      expect((await agentNow(agent.id)).revisionNumber).toBe(1);
      await server.board.approvals.approve({ ...at(approval), body: {} });
      expect(await agentNow(agent.id)).toMatchObject({
        revisionNumber: 2,
        budgetMonthlyCents: 500,
        adapterConfig: { command: "true", args: ["-v"] },
      });
      const { items } = await server.board.configurations.listRevisions({ params: { agentId: agent.id } });
      expect(items[0]).toMatchObject({ number: 2, source: "approval", actor: { kind: "user" } });
      expect((await actionsOf(agent.id)).filter((action) => action === "agent.changed")).toHaveLength(1);
      expect(await actionsOf(approval.id)).toEqual(["approval.requested", "approval.linked", "approval.approved"]);
      expect(await wakesOf(agent.id)).toEqual([{ source: "approval", approvalId: approval.id, status: "approved" }]);
    });

    test("for another agent too, also by the board; what is in a name of the log is what would change", async () => {
      const { agent } = await activeAgent("Target");
      const { client } = await activeAgent("Proposer");
      await propose(client, agent.id, { title: "Chief", capabilities: "All of it" });
      const approval = await propose(server.board, agent.id, { title: "Chief" });
      await server.board.approvals.approve({ ...at(approval), body: {} });
      expect(await agentNow(agent.id)).toMatchObject({ title: "Chief", revisionNumber: 1 });
      const { items } = await server.board.activity.list({ params: params(), query: { action: "approval.requested" } });
      expect(items.slice(0, 2).map(({ sentence }) => sentence)).toEqual(
        [
          "asked for approval to change title of Target",
          "asked for approval to change title, capabilities of Target",
        ].map((words, n) => `${n === 0 ? "The board" : "Proposer"} ${words}`),
      );
    });

    test("a proposal is checked when it is made: like a change, and it has to change something", async () => {
      const { agent, client } = await activeAgent("Checked");
      const { agent: below } = await activeAgent("Below", { reportsTo: agent.id });
      const tries: [object, string, string][] = [
        [{ adapterConfig: { command: 7 } }, "invalid_request", "payload.patch.adapterConfig.command"],
        [{ adapterType: "nothing" }, "invalid_request", "payload.patch.adapterType"],
        [{ desiredSkills: ["nowhere"] }, "unknown_skill", "payload.patch.desiredSkills"],
        [{ reportsTo: below.id }, "reporting_cycle", "payload.patch.reportsTo"],
        [{ reportsTo: crypto.randomUUID() }, "unknown_reference", "payload.patch.reportsTo"],
        [{ adapterConfig: { env: { TOKEN: "[redacted]" } } }, "redacted_placeholder", "payload.patch.adapterConfig"],
        [{ name: "Checked" }, "wrong_state", "payload.patch"],
        [{}, "wrong_state", "payload.patch"],
      ];
      for (const [patch, code, path] of tries) {
        const refusal = await refusalOf(propose(client, agent.id, patch));
        expect(refusal.code, JSON.stringify(patch)).toBe(code);
        expect(refusal.details[0]?.path).toMatch(new RegExp(`^${path.replaceAll(".", "\\.")}`));
      }
      const { items } = await server.board.approvals.list({ params: params(), query: { type: "config_change" } });
      expect(items.filter(({ agentId }) => agentId === agent.id)).toEqual([]);
      const wrongType = client.approvals.request({
        params: params(),
        body: { type: "config_chance", payload: {} } as never,
      });
      expect(await refusalOf(wrongType)).toMatchObject({
        code: "invalid_request",
        details: [
          { path: "type", allowed: ["config_change", "budget_override", "board_request"], nearest: "config_change" },
        ],
      });
    });

    test("P11: a secret in a proposal is moved out when it is asked, and gives nothing the agent uses another value", async () => {
      const { agent, client } = await activeAgent("Keeper", {
        adapterConfig: { command: "true", env: { API_TOKEN: "the-token-of-the-board" } },
      });
      const own = agent.adapterConfig["env"] as Record<string, { secretId: string }>;
      const approval = await propose(client, agent.id, {
        adapterConfig: { env: { API_TOKEN: "the-token-of-the-agent", PLAIN: "yes" } },
      });
      const shown = JSON.stringify(approval);
      expect(shown).not.toContain("the-token-of-the-agent");
      expect(approval.payload).toMatchObject({
        patch: { adapterConfig: { env: { API_TOKEN: { type: "secret_ref", version: 1 }, PLAIN: "yes" } } },
      });
      const secretId = own["API_TOKEN"]?.secretId ?? "";
      expect((await server.board.secrets.get({ params: { secretId } })).latestVersion).toBe(1);
      await server.board.approvals.approve({ ...at(approval), body: {} });
      const after = (await agentNow(agent.id)).adapterConfig["env"] as Record<string, { secretId: string }>;
      expect(after["API_TOKEN"]?.secretId).not.toBe(secretId);
      expect(after["PLAIN"]).toBe("yes");
    });

    test("an agent may name a secret of the company, because the board decides", async () => {
      const { agent, client } = await activeAgent("Referrer");
      const secret = await server.board.secrets.create({
        params: params(),
        body: { name: "mail", value: "the-mail-password" },
      });
      const reference = { type: "secret_ref", secretId: secret.id, version: "latest" };
      const approval = await propose(client, agent.id, { adapterConfig: { env: { MAIL: reference, GONE: null } } });
      await server.board.approvals.approve({ ...at(approval), body: {} });
      expect((await agentNow(agent.id)).adapterConfig).toMatchObject({ env: { MAIL: reference } });
    });

    test("when the agent has moved on, approving is 409 stale_revision and it stays pending; resubmitted, it is for the agent as it is now", async () => {
      const { agent, client } = await activeAgent("Mover");
      const stale = await propose(client, agent.id, { budgetMonthlyCents: 700 });
      await server.board.agents.change({ params: { agentId: agent.id }, body: { budgetMonthlyCents: 100 } });
      const refusal = await refusalOf(server.board.approvals.approve({ ...at(stale), body: {} }));
      expect(refusal).toMatchObject({
        status: 409,
        code: "stale_revision",
        details: [{ path: "payload.baseRevision" }],
      });
      expect(await status(stale)).toBe("pending");
      expect(await refusalOf(propose(client, agent.id, { title: "x" }, { baseRevision: 1 }))).toMatchObject({
        status: 409,
        code: "stale_revision",
      });
      await server.board.approvals.requestRevision({ ...at(stale), body: {} });
      const again = await client.approvals.resubmit({ ...at(stale), body: {} });
      expect(again.payload).toMatchObject({
        baseRevision: 2,
        patch: { budgetMonthlyCents: 700 },
        differences: [{ path: "budgetMonthlyCents", before: 100, after: 700 }],
      });
      await server.board.approvals.requestRevision({ ...at(stale), body: { decisionNote: "Less." } });
      const less = await client.approvals.resubmit({
        ...at(stale),
        body: { payload: { patch: { budgetMonthlyCents: 300 } } },
      });
      expect(less).toMatchObject({ payloadVersion: 3, status: "pending" });
      await server.board.approvals.approve({ ...at(stale), body: { payloadDigest: less.payloadDigest } });
      expect(await agentNow(agent.id)).toMatchObject({ budgetMonthlyCents: 300, revisionNumber: 3 });
      expect((await wakesOf(agent.id)).map(({ status: told }) => told)).toEqual([
        "revision_requested",
        "revision_requested",
        "approved",
      ]);
    });

    test("P3: of two proposals for one revision only one is made, also when both are approved at once", async () => {
      const { agent, client } = await activeAgent("Contested");
      const proposals = await Promise.all([1, 2, 3].map((n) => propose(client, agent.id, { budgetMonthlyCents: n })));
      const results = await Promise.allSettled(
        proposals.map((approval) => server.board.approvals.approve({ ...at(approval), body: {} })),
      );
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      expect((await agentNow(agent.id)).revisionNumber).toBe(2);
      const after = await Promise.all(proposals.map(status));
      expect(after.sort()).toEqual(["approved", "pending", "pending"]);
    });

    test("rejected or withdrawn, nothing changes; of a terminated agent approving is 409 wrong_state", async () => {
      const { agent, client } = await activeAgent("Steady");
      const [rejected, withdrawn, late] = (await Promise.all(
        ["a", "b", "c"].map((title) => propose(client, agent.id, { title })),
      )) as [Approval, Approval, Approval];
      await server.board.approvals.reject({ ...at(rejected), body: { decisionNote: "No." } });
      await client.approvals.cancel({ ...at(withdrawn), body: {} });
      expect(await agentNow(agent.id)).toMatchObject({ title: null, status: "idle", revisionNumber: 1 });
      await server.board.agents.terminate({ params: { agentId: agent.id } });
      const refusal = await refusalOf(server.board.approvals.approve({ ...at(late), body: {} }));
      expect(refusal).toMatchObject({ status: 409, code: "wrong_state", details: [{ path: "payload.agentId" }] });
      expect(await Promise.all([rejected, withdrawn, late].map(status))).toEqual(["rejected", "cancelled", "pending"]);
    });

    test("what has gone since leaves it pending and says so", async () => {
      const { agent: manager } = await activeAgent("Leaver");
      const { agent, client } = await activeAgent("Orphan");
      const approval = await propose(client, agent.id, { reportsTo: manager.id });
      await server.board.agents.terminate({ params: { agentId: manager.id } });
      const refusal = await refusalOf(server.board.approvals.approve({ ...at(approval), body: {} }));
      expect(refusal).toMatchObject({ code: "wrong_state", details: [{ path: "payload.patch.reportsTo" }] });
      expect(await status(approval)).toBe("pending");
    });

    test("nobody proposes for an agent that waits for approval, nor for one of another company", async () => {
      const { client } = await activeAgent("Stranger");
      const { agent: pending } = await server.board.hires.request({
        params: params(),
        body: { name: "Pending", ...program },
      });
      expect((await refusalOf(propose(client, pending.id, { title: "x" }))).code).toBe("agent_pending_approval");
      const other = await server.board.companies.create({ body: { name: "Other" } });
      const foreign = await server.board.agents.create({
        params: { companyId: other.id },
        body: { name: "Foreign", ...program },
      });
      expect((await refusalOf(propose(client, foreign.id, { title: "x" }))).code).toBe("other_company");
    });
  });

  describe("board_request", () => {
    const ask = (by: Client, payload = { title: "Buy a domain", body: "It costs **12 dollars**." }) =>
      by.approvals.request({ params: params(), body: { type: "board_request", payload } });

    test("a question in markdown: answered with a note, its only effect is the wake of the one who asked", async () => {
      const { agent, client } = await activeAgent("Curious");
      const approval = await ask(client);
      expect(approval).toMatchObject({ type: "board_request", agentId: null, payloadVersion: 1 });
      const decided = await server.board.approvals.approve({ ...at(approval), body: { decisionNote: "Yes, do." } });
      expect(decided).toMatchObject({ status: "approved", decisionNote: "Yes, do." });
      expect(await wakesOf(agent.id)).toEqual([{ source: "approval", approvalId: approval.id, status: "approved" }]);
      const rejected = await ask(client);
      await server.board.approvals.reject({ ...at(rejected), body: {} });
      expect((await wakesOf(agent.id)).map(({ status: told }) => told)).toEqual(["approved", "rejected"]);
      expect(await agentNow(agent.id)).toMatchObject({ revisionNumber: 1 });
    });

    test("sent back, it is asked again in other words; every version stays readable", async () => {
      const { client } = await activeAgent("Rephraser");
      const approval = await ask(client);
      await server.board.approvals.requestRevision({ ...at(approval), body: { decisionNote: "Which one?" } });
      const misspelt = client.approvals.resubmit({ ...at(approval), body: { payload: { titel: "x" } } });
      expect(await refusalOf(misspelt)).toMatchObject({
        code: "invalid_request",
        details: [{ path: "payload.titel", nearest: "title" }],
      });
      const again = await client.approvals.resubmit({ ...at(approval), body: { payload: { body: "example.com" } } });
      expect(again.payload).toEqual({ title: "Buy a domain", body: "example.com" });
      const { items } = await server.board.approvals.listVersions(at(approval));
      expect(items.map(({ payload }) => payload["body"])).toEqual(["example.com", "It costs **12 dollars**."]);
    });
  });
});
