import { randomUUID } from "node:crypto";
import { agentWithKey, bearer } from "../agent-with-key.ts";
import { keyHolder } from "../key-holder.ts";
import type { Scenario } from "../scenario.ts";
import { typicalAgent } from "../typical-agent.ts";

/** The agent that asked for a hire reads what became of it. */
export const approval: Scenario = {
  name: "approval",
  floor(app, sql) {
    app.get<{ Params: { approvalId: string } }>("/api/approvals/:approvalId", async (request, reply) => {
      const { companyId } = await keyHolder(sql, request.headers.authorization);
      const [row] = await sql`
        select * from approvals where company_id = ${companyId} and id = ${request.params.approvalId}`;
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(row));
    });
  },
  async prepare({ id: companyId }, { board, as }) {
    const { token } = await agentWithKey(board, companyId);
    const body = typicalAgent(`Engineer ${randomUUID().slice(-12)}`);
    const hired = await as(token).hires.request({ params: { companyId }, body });
    return { token, approvalId: hired.approval?.id ?? "" };
  },
  request: ({ approvalId, token }) => ({ method: "GET", path: `/api/approvals/${approvalId}`, headers: bearer(token) }),
  aim: { ofFloor: 0.5, statements: 2 },
};
