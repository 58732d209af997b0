import { agentWithKey, bearer } from "../agent-with-key.ts";
import { keyHolder } from "../key-holder.ts";
import { many } from "../many.ts";
import type { Scenario } from "../scenario.ts";
import { typicalIssue } from "../typical-issue.ts";

const issuesOfCompany = 300;
const page = 50;

/** An agent reads the newest 50 entries of its company's log. */
export const listActivity: Scenario = {
  name: "list-activity",
  floor(app, sql) {
    app.get<{ Querystring: { limit: string } }>("/api/companies/:companyId/activity", async (request, reply) => {
      const { companyId } = await keyHolder(sql, request.headers.authorization);
      const rows = await sql`
        select e.*, c.seq as cause_seq, r.seq as root_seq, a.name as agent_name, u.name as user_name
        from activity e
        left join activity c on c.company_id = e.company_id and c.id = e.cause_id
        left join activity r on r.company_id = e.company_id and r.id = e.root_id
        left join agents a on a.company_id = e.company_id and a.id = e.actor_id
        left join users u on e.actor_kind = 'user' and u.id = e.actor_id
        where e.company_id = ${companyId}
        order by e.seq desc
        limit ${Number(request.query.limit) + 1}`;
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(rows));
    });
  },
  async prepare({ id: companyId }, { board, as }) {
    const { token } = await agentWithKey(board, companyId);
    await many(issuesOfCompany, (index) =>
      as(token).issues.create({ params: { companyId }, body: typicalIssue(`Vouchers count twice in order ${index}`) }),
    );
    return { companyId, token };
  },
  request: ({ companyId, token }) => ({
    method: "GET",
    path: `/api/companies/${companyId}/activity?limit=${page}`,
    headers: bearer(token),
  }),
  aim: { ofFloor: 0.5, perSecond: 3000, statements: 2 },
};
