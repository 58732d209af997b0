import { agentWithKey, bearer } from "../agent-with-key.ts";
import { keyHolder } from "../key-holder.ts";
import { many } from "../many.ts";
import type { Scenario } from "../scenario.ts";
import { typicalIssue } from "../typical-issue.ts";

const issuesOfCompany = 300;
const page = 50;

/** An agent lists the newest 50 of its company's 300 issues. */
export const listIssues: Scenario = {
  name: "list-issues",
  floor(app, sql) {
    app.get<{ Querystring: { limit: string } }>("/api/companies/:companyId/issues", async (request, reply) => {
      const { companyId } = await keyHolder(sql, request.headers.authorization);
      const rows = await sql`
        select *, (checkout_agent_id is not null and (checkout_run_id is not null
          or checkout_at > clock_timestamp() - make_interval(hours => 24))) as held
        from issues
        where company_id = ${companyId}
        order by id desc
        limit ${Number(request.query.limit) + 1}`;
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(rows));
    });
  },
  async prepare({ id: companyId }, { board }) {
    const { agentId: assigneeAgentId, token } = await agentWithKey(board, companyId);
    await many(issuesOfCompany, (index) => {
      const body = { ...typicalIssue(`Vouchers count twice in order ${index}`), assigneeAgentId };
      return board.issues.create({ params: { companyId }, body });
    });
    return { companyId, token };
  },
  request: ({ companyId, token }) => ({
    method: "GET",
    path: `/api/companies/${companyId}/issues?limit=${page}`,
    headers: bearer(token),
  }),
  aim: { ofFloor: 0.5, perSecond: 3000, statements: 2 },
};
