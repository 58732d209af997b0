import type { Sql } from "postgres";
import { agentWithKey, bearer } from "../agent-with-key.ts";
import { keyHolder } from "../key-holder.ts";
import { beginRun, runHolder } from "../run-holder.ts";
import type { Scenario } from "../scenario.ts";
import { typicalAgent } from "../typical-agent.ts";

/** An agent with a key, below a manager, asks who it is: the request that agents make most. */
export const me: Scenario = {
  name: "me",
  floor(app, sql) {
    app.get("/api/agents/me", async (request, reply) => {
      const { companyId, agentId } = await holderOf(sql, request.headers.authorization);
      const month = new Date().toISOString().slice(0, 7);
      const rows = await sql`
        select a.*, c.id as c_id, c.name as c_name, c.issue_prefix, c.status as c_status, c.goal,
          coalesce(s.spent_micros, 0) as spent_micros,
          (select coalesce(sum(greatest(l.held_micros - l.drawn_micros, 0)), 0) from leases l
            where l.company_id = a.company_id and l.agent_id = a.id) as held_micros,
          coalesce((
            with recursive chain as (
              select m.id, m.name, m.title, m.role, m.status, m.reports_to, 1 as depth
              from agents m where m.company_id = a.company_id and m.id = a.reports_to
              union all
              select m.id, m.name, m.title, m.role, m.status, m.reports_to, h.depth + 1
              from chain h join agents m on m.company_id = a.company_id and m.id = h.reports_to
            )
            select json_agg(json_build_object('id', id, 'name', name, 'title', title, 'role', role) order by depth)
            from chain where status <> 'terminated'), '[]'::json) as chain_of_command
        from agents a
        join companies c on c.id = a.company_id
        left join spend s on s.company_id = a.company_id and s.holder_id = a.id and s.month = ${month}
        where a.company_id = ${companyId} and a.id = ${agentId}`;
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(rows[0]));
    });
  },
  async prepare({ id: companyId }, { board }) {
    const manager = await board.agents.create({ params: { companyId }, body: typicalAgent("Manager") });
    const body = { ...typicalAgent("Engineer"), reportsTo: manager.id };
    const { token } = await agentWithKey(board, companyId, body);
    return { token };
  },
  request: ({ token }) => ({
    method: "GET",
    path: "/api/agents/me",
    headers: bearer(token),
  }),
  aim: { ofFloor: 0.5, perSecond: 8000, statements: 2 },
};

/** The same, with the credential of a run under way. */
export const meInRun: Scenario = {
  name: "me-in-run",
  floor: () => undefined,
  async prepare({ id: companyId }, stage) {
    const manager = await stage.board.agents.create({ params: { companyId }, body: typicalAgent("Manager") });
    const body = { ...typicalAgent("Engineer"), reportsTo: manager.id };
    const { id: agentId } = await stage.board.agents.create({ params: { companyId }, body });
    return { token: await beginRun(stage, { companyId, agentId }) };
  },
  request: me.request,
  aim: me.aim,
};

const holderOf = (sql: Sql, authorization = "") =>
  authorization.startsWith("Bearer svk_") ? keyHolder(sql, authorization) : runHolder(sql, authorization);
