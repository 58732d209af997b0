import { sql } from "drizzle-orm";
import { foreignKey, index, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { moment } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";

/** Long-lived credentials of agents. Of the token only its public prefix and its hash are kept. */
export const agentKeys = pgTable(
  "agent_keys",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    agentId: uuid().notNull(),
    name: text().notNull(),
    prefix: text().notNull(),
    hash: text().notNull(),
    createdAt: moment().notNull(),
    expiresAt: moment(),
    revokedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
    unique("agent_keys_prefix").on(table.prefix),
    index("agent_keys_id").on(table.id),
    index("agent_keys_agent").on(table.companyId, table.agentId, table.id).where(sql`${table.revokedAt} is null`),
  ],
);
