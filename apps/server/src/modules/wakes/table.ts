import type { JsonObject } from "@roster/contract";
import { check, foreignKey, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment, oneOf } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";

/** What can wake an agent. */
const wakeSources = [
  "timer",
  "on_demand",
  "assignment",
  "comment",
  "mention",
  "approval",
  "routine",
  "child_done",
  "unblocked",
  "retry",
] as const;

/**
 * Why an agent should run: a row, never a call, written in the transaction of what caused it. The keys to issues and
 * approvals stand in a migration of their own: those modules know this one, so this one cannot know them.
 */
export const wakes = pgTable(
  "wakes",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    agentId: uuid().notNull(),
    source: text({ enum: wakeSources }).notNull(),
    reason: text().notNull(),
    issueId: uuid(),
    approvalId: uuid(),
    payload: jsonb().$type<JsonObject>().notNull(),
    causeId: uuid().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
    index("wakes_agent").on(table.companyId, table.agentId, table.id),
    check("wakes_source", oneOf(table.source, wakeSources)),
  ],
);
