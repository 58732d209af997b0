import { agentWithKey, bearer } from "../agent-with-key.ts";
import { keyHolder } from "../key-holder.ts";
import type { Scenario } from "../scenario.ts";
import { typicalAgent } from "../typical-agent.ts";

const agentsOfCompany = 100;

/** An agent lists all 100 agents of its company. */
export const listAgents: Scenario = {
  name: "list-agents",
  floor(app, sql) {
    app.get<{ Querystring: { limit: string } }>("/api/companies/:companyId/agents", async (request, reply) => {
      const { companyId } = await keyHolder(sql, request.headers.authorization);
      const month = new Date().toISOString().slice(0, 7);
      const rows = await sql`
        select a.*, coalesce(s.spent_micros, 0) as spent_micros
        from agents a
        left join spend s on s.company_id = a.company_id and s.holder_id = a.id and s.month = ${month}
        where a.company_id = ${companyId}
        order by a.id desc
        limit ${Number(request.query.limit) + 1}`;
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(rows));
    });
  },
  async prepare({ id: companyId }, { board }) {
    const params = { companyId };
    const { agentId, token } = await agentWithKey(board, companyId, typicalAgent("Engineer 1"));
    for (let n = 2; n <= agentsOfCompany; n += 1) {
      await board.agents.create({ params, body: { ...typicalAgent(`Engineer ${n}`), reportsTo: agentId } });
    }
    return { companyId, token };
  },
  request: ({ companyId, token }) => ({
    method: "GET",
    path: `/api/companies/${companyId}/agents?limit=${agentsOfCompany}`,
    headers: bearer(token),
  }),
  aim: { ofFloor: 0.5, statements: 2 },
};
