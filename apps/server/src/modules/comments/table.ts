import { commentBytes } from "@roster/contract";
import { sql } from "drizzle-orm";
import { check, foreignKey, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";

/**
 * Comments, each on exactly one thing. Rows are only ever added. The keys to issues and approvals stand in a migration
 * of their own: those modules know this one, so this one cannot know them.
 */
export const comments = pgTable(
  "comments",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    issueId: uuid(),
    approvalId: uuid(),
    body: text().notNull(),
    authorAgentId: uuid(),
    authorUserId: uuid(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.authorAgentId], foreignColumns: [agents.companyId, agents.id] }),
    index("comments_issue").on(table.companyId, table.issueId, table.id),
    index("comments_approval").on(table.companyId, table.approvalId, table.id),
    check("comments_one_subject", sql`num_nonnulls(${table.issueId}, ${table.approvalId}) = 1`),
    check("comments_one_author", sql`num_nonnulls(${table.authorAgentId}, ${table.authorUserId}) <= 1`),
    check("comments_body", sql`octet_length(${table.body}) between 1 and ${sql.raw(String(commentBytes))}`),
  ],
);
