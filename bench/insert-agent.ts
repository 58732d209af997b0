import { randomUUID } from "node:crypto";
import type { JSONValue, Row, TransactionSql } from "postgres";

/** The body of a creation or a hire. */
export interface Wish {
  readonly name: string;
  readonly role: string;
  readonly title: string;
  readonly icon: string;
  readonly capabilities: string;
  readonly adapterType: string;
  readonly adapterConfig: JSONValue;
  readonly instructionsBundle: JSONValue;
  readonly runtimeConfig: JSONValue;
  readonly budgetMonthlyCents: number;
  readonly reportsTo?: string;
  readonly sourceIssueId?: string;
}

/** An agent as a bare route adds it. */
export interface BareAgent {
  readonly companyId: string;
  readonly status: "idle" | "pending_approval";
  readonly wish: Wish;
  /** Who acts; null is the board. */
  readonly byAgentId: string | null;
}

/** Adds an agent with its first revision: two statements. */
export async function insertAgent(sql: TransactionSql, { companyId, status, wish, byAgentId }: BareAgent) {
  const { adapterType, adapterConfig, instructionsBundle, runtimeConfig, budgetMonthlyCents, sourceIssueId } = wish;
  const now = new Date();
  const [agent] = await sql<[Row]>`
    insert into agents (company_id, id, url_key, name, role, title, icon, reports_to, capabilities, status, pause_reason,
      adapter_type, adapter_config, instructions_bundle, runtime_config, permissions, budget_monthly_cents,
      skills, revision_number, source_issue_id, source_issue_ids, last_heartbeat_at, version, created_at, updated_at)
    values (${companyId}, ${randomUUID()}, ${wish.name}, ${wish.name}, ${wish.role}, ${wish.title}, ${wish.icon},
      ${wish.reportsTo ?? null}, ${wish.capabilities}, ${status}, null, ${adapterType}, ${sql.json(adapterConfig)},
      ${sql.json(instructionsBundle)}, ${sql.json(runtimeConfig)}, ${sql.json({})}, ${budgetMonthlyCents},
      ${sql.json([])}, 1, ${sourceIssueId ?? null}, ${sql.json(sourceIssueId ? [sourceIssueId] : [])}, null, 1,
      ${now}, ${now})
    on conflict (company_id, url_key) do nothing
    returning *`;
  const content = sql.json({ adapterType, adapterConfig, instructionsBundle, runtimeConfig, budgetMonthlyCents });
  await sql`
    insert into agent_revisions (company_id, id, agent_id, number, content, content_hash, source, changed, actor_kind,
      actor_id, created_at)
    values (${companyId}, ${randomUUID()}, ${agent["id"]}, 1, ${content}, ${"0".repeat(64)}, 'create', ${sql.json([])},
      ${byAgentId === null ? "user" : "agent"}, ${byAgentId}, ${now})`;
  return agent;
}
