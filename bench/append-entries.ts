import { randomUUID } from "node:crypto";
import type { JSONValue, TransactionSql } from "postgres";

/** An entry of the log as a bare route writes it. */
export interface BareEntry {
  readonly action: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly details: JSONValue;
}

/** Entries of one request. */
export interface BareEntries {
  readonly companyId: string;
  /** Who acts; null is the board. */
  readonly agentId: string | null;
  readonly requestId: string;
  readonly entries: readonly BareEntry[];
}

/** The same one statement that raises the head of the company's log and adds to the log. The last before COMMIT. */
export function appendEntries(sql: TransactionSql, { companyId, agentId, requestId, entries }: BareEntries) {
  const rootId = randomUUID();
  const rows = entries.map((entry, index) => ({ ...entry, id: index === 0 ? rootId : randomUUID(), ord: index + 1 }));
  return sql`
    with head as (
      update activity_heads set last_seq = last_seq + ${rows.length}
      where company_id = ${companyId} and (closed_after is null or last_seq + ${rows.length} <= closed_after)
      returning last_seq
    )
    insert into activity (company_id, seq, id, action, entity_type, entity_id, actor_kind, actor_id, root_id, hops,
      details, request_id, created_at)
    select ${companyId}, head.last_seq - ${rows.length} + e.ord, e.id, e.action, e."entityType", e."entityId",
      ${agentId === null ? "user" : "agent"}, ${agentId}, ${rootId}, 0, e.details, ${requestId}, clock_timestamp()
    from head, jsonb_to_recordset(${sql.json(rows)}) as e(ord bigint, id uuid, action text, "entityType" text,
      "entityId" uuid, details jsonb)
    returning seq`;
}
