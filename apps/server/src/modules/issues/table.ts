import { closedIssueStatuses, issuePriorities, issueStatuses } from "@roster/contract";
import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { edited, moment, oneOf } from "../../platform/database/index.ts";
import { upkeepTable } from "../../platform/upkeep.ts";
import { agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { issueLifecycle } from "./lifecycle.ts";

/** The number the last issue of each company got. Who holds this row decides the tree of issues, too. */
export const issueCounters = upkeepTable(
  pgTable("issue_counters", {
    companyId: uuid()
      .primaryKey()
      .references(() => companies.id),
    lastNumber: integer().notNull(),
  }),
);

/** Issues: pieces of work. */
export const issues = pgTable(
  "issues",
  {
    companyId: uuid()
      .notNull()
      .references(() => companies.id),
    id: uuid().notNull(),
    number: integer().notNull(),
    identifier: text().notNull(),
    title: text().notNull(),
    description: text(),
    status: text({ enum: issueStatuses }).notNull(),
    priority: text({ enum: issuePriorities }).notNull(),
    assigneeAgentId: uuid(),
    assigneeUserId: uuid(),
    parentId: uuid(),
    createdByAgentId: uuid(),
    createdByUserId: uuid(),
    checkoutAgentId: uuid(),
    checkoutRunId: uuid(),
    checkoutAt: moment(),
    startedAt: moment(),
    completedAt: moment(),
    ...edited(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.assigneeAgentId], foreignColumns: [agents.companyId, agents.id] }),
    foreignKey({ columns: [table.companyId, table.createdByAgentId], foreignColumns: [agents.companyId, agents.id] }),
    foreignKey({ columns: [table.companyId, table.checkoutAgentId], foreignColumns: [agents.companyId, agents.id] }),
    foreignKey({
      name: "issues_parent",
      columns: [table.companyId, table.parentId],
      foreignColumns: [table.companyId, table.id],
    }),
    unique("issues_number").on(table.companyId, table.number),
    index("issues_id").on(table.id),
    index("issues_status").on(table.companyId, table.status, table.id),
    index("issues_priority").on(table.companyId, table.priority, table.id),
    index("issues_assignee").on(table.companyId, table.assigneeAgentId, table.status, table.id),
    index("issues_assigned_person")
      .on(table.companyId, table.assigneeUserId, table.status, table.id)
      .where(sql`assignee_user_id is not null`),
    index("issues_checkout_run").on(table.companyId, table.checkoutRunId).where(sql`checkout_run_id is not null`),
    index("issues_parent_id").on(table.companyId, table.parentId, table.id),
    check("issues_status", oneOf(table.status, issueLifecycle.states)),
    check("issues_priority", oneOf(table.priority, issuePriorities)),
    check("issues_identifier", sql`split_part(${table.identifier}, '-', 2) = ${table.number}::text`),
    check("issues_one_assignee", sql`num_nonnulls(${table.assigneeAgentId}, ${table.assigneeUserId}) <= 1`),
    check("issues_checkout", sql`(${table.checkoutAgentId} is null) = (${table.checkoutAt} is null)`),
    check("issues_checkout_run", sql`${table.checkoutRunId} is null or ${table.checkoutAgentId} is not null`),
    check("issues_started", sql`${table.status} <> 'in_progress' or ${table.startedAt} is not null`),
    check("issues_completed", sql`(${oneOf(table.status, closedIssueStatuses)}) = (${table.completedAt} is not null)`),
  ],
);

/**
 * What is searched of each issue, as `searchableText` writes it, apart from the issue so that moving one costs the index
 * nothing. The trigram index stands in a migration of its own, with the extensions it needs.
 */
export const issueTexts = upkeepTable(
  pgTable(
    "issue_texts",
    {
      companyId: uuid().notNull(),
      issueId: uuid().notNull(),
      text: text().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.companyId, table.issueId] }),
      foreignKey({ columns: [table.companyId, table.issueId], foreignColumns: [issues.companyId, issues.id] }),
    ],
  ),
);
