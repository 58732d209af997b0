import { randomUUID } from "node:crypto";
import type { Row, TransactionSql } from "postgres";
import { agentWithKey, bearer } from "../agent-with-key.ts";
import { appendEntries } from "../append-entries.ts";
import { keyHolder } from "../key-holder.ts";
import type { Scenario } from "../scenario.ts";
import { typicalIssue } from "../typical-issue.ts";

interface Creation {
  readonly companyId: string;
  readonly agentId: string;
  readonly wish: {
    readonly title: string;
    readonly description: string;
    readonly priority: string;
    readonly assigneeAgentId: string;
  };
  readonly requestId: string;
}

/** An agent writes down an issue and takes it on itself: number, searchable text and two entries with it. */
export const createIssue: Scenario = {
  name: "create-issue",
  floor(app, sql) {
    app.post<{ Body: Creation["wish"] }>("/api/companies/:companyId/issues", async (request, reply) => {
      const holder = await keyHolder(sql, request.headers.authorization);
      const { id: requestId, body: wish } = request;
      const row = await sql.begin((transaction) => create(transaction, { ...holder, wish, requestId }));
      return reply.code(201).type("application/json; charset=utf-8").send(JSON.stringify(row));
    });
  },
  async prepare({ id: companyId }, { board }) {
    return { companyId, ...(await agentWithKey(board, companyId)) };
  },
  request: ({ companyId, agentId, token }) => ({
    method: "POST",
    path: `/api/companies/${companyId}/issues`,
    headers: bearer(token),
    body: { ...typicalIssue("Vouchers count twice in order #"), assigneeAgentId: agentId },
  }),
  aim: { ofFloor: 0.5, perSecond: 1000, statements: 6 },
};

async function create(sql: TransactionSql, { companyId, agentId, wish, requestId }: Creation) {
  const { title, description, priority, assigneeAgentId } = wish;
  const [assignee] = await sql<[Row]>`
    select a.name, c.issue_prefix from agents a join companies c on c.id = a.company_id
    where a.company_id = ${companyId} and a.id = ${assigneeAgentId} for key share of a`;
  const id = randomUUID();
  const prefix = `${assignee["issue_prefix"]}-`;
  const now = new Date();
  const [row] = await sql<[Row]>`
    with counter as (
      insert into issue_counters (company_id, last_number) values (${companyId}, 1)
      on conflict (company_id) do update set last_number = issue_counters.last_number + 1
      returning last_number as number
    ), texts as (
      insert into issue_texts (company_id, issue_id, text)
      select ${companyId}, ${id}, number::text || ${` ${prefix} ${title} ${description}`.toLowerCase()} from counter
    )
    insert into issues (company_id, id, number, identifier, title, description, status, priority, assignee_agent_id,
      assignee_user_id, parent_id, created_by_agent_id, created_by_user_id, checkout_agent_id, checkout_run_id,
      checkout_at, started_at, completed_at, version, created_at, updated_at)
    select ${companyId}, ${id}, number, ${prefix} || number, ${title}, ${description}, 'todo', ${priority},
      ${assigneeAgentId}, null, null, ${agentId}, null, null, null, null, null, null, 1, ${now}, ${now}
    from counter
    returning *`;
  const { identifier, status } = row;
  const about = { entityType: "issue", entityId: id };
  const given = { identifier, title, agentId: assigneeAgentId, userId: null, assignee: assignee["name"] };
  const entries = [
    { action: "issue.created", ...about, details: { identifier, title, status, priority } },
    { action: "issue.assigned", ...about, details: given },
  ];
  await appendEntries(sql, { companyId, agentId, requestId, entries });
  return row;
}
