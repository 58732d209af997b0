import { agentWithKey, bearer } from "../agent-with-key.ts";
import { keyHolder } from "../key-holder.ts";
import type { Scenario } from "../scenario.ts";

/** An agent reads its own configuration. */
export const configuration: Scenario = {
  name: "configuration",
  floor(app, sql) {
    app.get<{ Params: { agentId: string } }>("/api/agents/:agentId/configuration", async (request, reply) => {
      const { companyId } = await keyHolder(sql, request.headers.authorization);
      const [row] = await sql`
        select a.*, r.id as revision_id, r.number as revision_of, r.content_hash
        from agents a
        join agent_revisions r on r.company_id = a.company_id and r.agent_id = a.id and r.number = a.revision_number
        where a.company_id = ${companyId} and a.id = ${request.params.agentId}`;
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(row));
    });
  },
  prepare: ({ id: companyId }, { board }) => agentWithKey(board, companyId),
  request: ({ agentId, token }) => ({
    method: "GET",
    path: `/api/agents/${agentId}/configuration`,
    headers: bearer(token),
  }),
  aim: { ofFloor: 0.5, statements: 2 },
};
