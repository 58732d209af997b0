import { randomUUID } from "node:crypto";
import type { Row, TransactionSql } from "postgres";
import { agentWithKey } from "../agent-with-key.ts";
import { appendEntries } from "../append-entries.ts";
import type { Scenario } from "../scenario.ts";
import { typicalAgent } from "../typical-agent.ts";
import { typicalIssue } from "../typical-issue.ts";

interface Decision {
  readonly approvalId: string;
  readonly note: string;
  readonly requestId: string;
}

/** The board approves a hire: the agent begins, its requester is woken. Each approval is decided once. */
export const decide: Scenario = {
  name: "decide",
  floor(app, sql) {
    app.post<{ Params: { approvalId: string }; Body: { decisionNote: string } }>(
      "/api/approvals/:approvalId/approve",
      async ({ id: requestId, params: { approvalId }, body: { decisionNote: note } }, reply) => {
        const row = await sql.begin((transaction) => approve(transaction, { approvalId, note, requestId }));
        return reply.type("application/json; charset=utf-8").send(JSON.stringify(row));
      },
    );
  },
  async prepare({ id: companyId }, { board }) {
    const { agentId, token } = await agentWithKey(board, companyId);
    const { id: issueId } = await board.issues.create({ params: { companyId }, body: typicalIssue("Vouchers") });
    return { companyId, agentId, token, issueId };
  },
  async supply({ companyId = "", agentId = "", token = "", issueId = "" }, as) {
    const name = `Engineer ${randomUUID().slice(-12)}`;
    const body = { ...typicalAgent(name), reportsTo: agentId, sourceIssueId: issueId };
    const { approval } = await as(token).hires.request({ params: { companyId }, body });
    return approval?.id ?? "";
  },
  request: () => ({
    method: "POST",
    path: "/api/approvals/#/approve",
    body: { decisionNote: "Welcome. Begin with the vouchers." },
  }),
  aim: { ofFloor: 0.5 },
};

async function approve(sql: TransactionSql, { approvalId, note, requestId }: Decision) {
  const [place] = await sql<[Row]>`select company_id, agent_id from approvals where id = ${approvalId}`;
  const { company_id: companyId, agent_id: agentId } = place;
  const [agent] = await sql<[Row]>`
    select * from agents where company_id = ${companyId} and id = ${agentId} for update`;
  const [approval] = await sql<[Row]>`
    select * from approvals where company_id = ${companyId} and id = ${approvalId} for update`;
  const now = new Date();
  const [decided] = await sql<Row[]>`
    update approvals set status = 'approved', decision_note = ${note}, decided_at = ${now}, updated_at = ${now},
      version = ${approval["version"] + 1}
    where company_id = ${companyId} and id = ${approvalId} and status = 'pending' and version = ${approval["version"]}
    returning *`;
  if (decided === undefined) throw new Error("an approval is to be decided twice");
  const { subject, type, requested_by_agent_id: requesterId, payload } = approval;
  await sql`
    insert into wakes (company_id, id, agent_id, source, reason, issue_id, approval_id, payload, cause_id, created_at)
    select company_id, ${randomUUID()}, id, 'approval', ${`The board approved: ${subject}`},
      ${payload["sourceIssueId"]}, ${approvalId}, ${sql.json({ status: "approved", note })}, ${randomUUID()}, ${now}
    from agents
    where company_id = ${companyId} and id = ${requesterId} and status not in ('pending_approval', 'terminated')`;
  await sql`
    update agents set status = 'idle', pause_reason = null, updated_at = ${now}
    where company_id = ${companyId} and id = ${agentId} and status = 'pending_approval'
    returning *`;
  const details = { type, subject, payloadVersion: approval["payload_version"], note };
  const entries = [
    { action: "approval.approved", entityType: "approval", entityId: approvalId, details },
    { action: "agent.approved", entityType: "agent", entityId: agentId, details: { name: agent["name"] } },
  ];
  await appendEntries(sql, { companyId, agentId: null, requestId, entries });
  return decided;
}
