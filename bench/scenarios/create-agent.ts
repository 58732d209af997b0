import type { TransactionSql } from "postgres";
import { appendEntries } from "../append-entries.ts";
import { insertAgent, type Wish } from "../insert-agent.ts";
import type { Scenario } from "../scenario.ts";
import { typicalAgent } from "../typical-agent.ts";

interface Creation {
  readonly companyId: string;
  readonly wish: Wish;
  readonly requestId: string;
}

/** The board creates an agent: one transaction that is on disk before the answer. */
export const createAgent: Scenario = {
  name: "create-agent",
  floor(app, sql) {
    app.post<{ Params: { companyId: string }; Body: Wish }>(
      "/api/companies/:companyId/agents",
      async ({ id: requestId, params: { companyId }, body: wish }, reply) => {
        const row = await sql.begin((transaction) => create(transaction, { companyId, wish, requestId }));
        return reply.code(201).type("application/json; charset=utf-8").send(JSON.stringify(row));
      },
    );
  },
  prepare: async ({ id: companyId }) => ({ companyId }),
  request: ({ companyId }) => ({
    method: "POST",
    path: `/api/companies/${companyId}/agents`,
    body: typicalAgent("Engineer #"),
  }),
  aim: { ofFloor: 0.5 },
};

async function create(sql: TransactionSql, { companyId, wish, requestId }: Creation) {
  const agent = await insertAgent(sql, { companyId, status: "idle", wish, byAgentId: null });
  const details = { name: wish.name, role: wish.role, adapterType: wish.adapterType };
  const entries = [{ action: "agent.created", entityType: "agent", entityId: agent["id"], details }];
  await appendEntries(sql, { companyId, agentId: null, requestId, entries });
  return agent;
}
