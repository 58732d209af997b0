import { randomUUID } from "node:crypto";
import type { Row, TransactionSql } from "postgres";
import { agentWithKey, bearer } from "../agent-with-key.ts";
import { appendEntries } from "../append-entries.ts";
import { keyHolder } from "../key-holder.ts";
import type { Scenario } from "../scenario.ts";
import { typicalIssue } from "../typical-issue.ts";

const text = [
  "The voucher was taken off twice: once in the basket, once on the last page. The second is gone (#).",
  "",
  "The new test fails without the change and passes with it; all 412 others pass.",
].join("\n");

interface Remark {
  readonly companyId: string;
  readonly agentId: string;
  readonly issueId: string;
  readonly body: string;
  readonly requestId: string;
}

/** An agent comments on an issue. */
export const comment: Scenario = {
  name: "comment",
  floor(app, sql) {
    app.post<{ Params: { issueId: string }; Body: { body: string } }>(
      "/api/issues/:issueId/comments",
      async ({ id: requestId, headers, params: { issueId }, body: { body } }, reply) => {
        const holder = await keyHolder(sql, headers.authorization);
        const row = await sql.begin((transaction) => add(transaction, { ...holder, issueId, body, requestId }));
        return reply.code(201).type("application/json; charset=utf-8").send(JSON.stringify(row));
      },
    );
  },
  async prepare({ id: companyId }, { board }) {
    const { token } = await agentWithKey(board, companyId);
    const { id: issueId } = await board.issues.create({ params: { companyId }, body: typicalIssue("Vouchers") });
    return { token, issueId };
  },
  request: ({ token, issueId }) => ({
    method: "POST",
    path: `/api/issues/${issueId}/comments`,
    headers: bearer(token),
    body: { body: text },
  }),
  aim: { ofFloor: 0.5, perSecond: 1000, statements: 6 },
};

async function add(sql: TransactionSql, { companyId, agentId, issueId, body, requestId }: Remark) {
  const [issue] = await sql<[Row]>`
    select identifier, title from issues where company_id = ${companyId} and id = ${issueId}`;
  const [row] = await sql<[Row]>`
    insert into comments (company_id, id, issue_id, approval_id, body, author_agent_id, author_user_id, created_at)
    values (${companyId}, ${randomUUID()}, ${issueId}, null, ${body}, ${agentId}, null, ${new Date()})
    returning *`;
  const details = { issueId, approvalId: null, subject: `${issue["identifier"]} “${issue["title"]}”` };
  const entries = [{ action: "comment.created", entityType: "comment", entityId: row["id"], details }];
  await appendEntries(sql, { companyId, agentId, requestId, entries });
  return row;
}
