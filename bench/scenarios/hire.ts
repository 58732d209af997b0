import { randomUUID } from "node:crypto";
import type { Row, TransactionSql } from "postgres";
import { agentWithKey, bearer } from "../agent-with-key.ts";
import { appendEntries } from "../append-entries.ts";
import { insertAgent, type Wish } from "../insert-agent.ts";
import { keyHolder } from "../key-holder.ts";
import type { Scenario } from "../scenario.ts";
import { typicalAgent } from "../typical-agent.ts";
import { typicalIssue } from "../typical-issue.ts";

interface Hire {
  readonly companyId: string;
  readonly requesterId: string;
  readonly wish: Wish & { readonly sourceIssueId: string };
  readonly requestId: string;
}

/** An agent asks the board for a colleague below itself, because of an issue. */
export const hire: Scenario = {
  name: "hire",
  floor(app, sql) {
    app.post<{ Body: Hire["wish"] }>("/api/companies/:companyId/agent-hires", async (request, reply) => {
      const { companyId, agentId: requesterId } = await keyHolder(sql, request.headers.authorization);
      const { id: requestId, body: wish } = request;
      const rows = await sql.begin((transaction) => ask(transaction, { companyId, requesterId, wish, requestId }));
      return reply.code(201).type("application/json; charset=utf-8").send(JSON.stringify(rows));
    });
  },
  async prepare({ id: companyId }, { board }) {
    const { agentId, token } = await agentWithKey(board, companyId);
    const { id: issueId } = await board.issues.create({ params: { companyId }, body: typicalIssue("Vouchers") });
    return { companyId, agentId, token, issueId };
  },
  request: ({ companyId, agentId, token, issueId }) => ({
    method: "POST",
    path: `/api/companies/${companyId}/agent-hires`,
    headers: bearer(token),
    body: { ...typicalAgent("Engineer #"), reportsTo: agentId, sourceIssueId: issueId },
  }),
  aim: { ofFloor: 0.5, perSecond: 900, statements: 10 },
};

async function ask(sql: TransactionSql, { companyId, requesterId, wish, requestId }: Hire) {
  const [issue] = await sql<[{ id: string; identifier: string }]>`
    select id, identifier from issues where company_id = ${companyId} and id = ${wish.sourceIssueId}`;
  const agent = await insertAgent(sql, { companyId, status: "pending_approval", wish, byAgentId: requesterId });
  const { name, role, adapterType } = wish;
  const subject = `hire ${name} (${role})`;
  const now = new Date();
  const [approval] = await sql<[Row]>`
    insert into approvals (company_id, id, type, status, subject, payload, payload_version, payload_digest, agent_id,
      requested_by_agent_id, requested_by_user_id, decision_note, decided_by_user_id, decided_at, version, created_at,
      updated_at)
    values (${companyId}, ${randomUUID()}, 'hire_agent', 'pending', ${subject}, ${sql.json({ ...wish })}, 1,
      ${"0".repeat(64)}, ${agent["id"]}, ${requesterId}, null, null, null, null, 1, ${now}, ${now})
    returning *`;
  await sql`
    insert into approval_issues (company_id, approval_id, issue_id, created_at)
    values (${companyId}, ${approval["id"]}, ${issue.id}, ${now})`;
  const about = { entityType: "approval", entityId: approval["id"] };
  const entries = [
    { action: "agent.proposed", entityType: "agent", entityId: agent["id"], details: { name, role, adapterType } },
    { action: "approval.requested", ...about, details: { type: "hire_agent", subject, payloadVersion: 1, note: null } },
    { action: "approval.linked", ...about, details: { subject, issueId: issue.id, identifier: issue.identifier } },
  ];
  await appendEntries(sql, { companyId, agentId: requesterId, requestId, entries });
  return { agent, approval };
}
