import type { AgentKey } from "@roster/contract";
import type { AgentKeyRow } from "./store.ts";

/** A stored key as the API shows it. */
export const presentKey = (row: AgentKeyRow): AgentKey => ({
  id: row.id,
  agentId: row.agentId,
  name: row.name,
  prefix: `svk_${row.prefix}`,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
});
