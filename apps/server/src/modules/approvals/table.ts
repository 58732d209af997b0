import { approvalStatuses, approvalTypes, type JsonObject } from "@roster/contract";
import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { edited, moment, oneOf } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { issues } from "../issues/index.ts";
import { approvalLifecycle } from "./lifecycle.ts";

/** Questions to the board. */
export const approvals = pgTable(
  "approvals",
  {
    companyId: uuid()
      .notNull()
      .references(() => companies.id),
    id: uuid().notNull(),
    type: text({ enum: approvalTypes }).notNull(),
    status: text({ enum: approvalStatuses }).notNull(),
    subject: text().notNull(),
    payload: jsonb().$type<JsonObject>().notNull(),
    payloadVersion: integer().notNull(),
    payloadDigest: text().notNull(),
    agentId: uuid(),
    requestedByAgentId: uuid(),
    requestedByUserId: uuid(),
    decisionNote: text(),
    decidedByUserId: uuid(),
    decidedAt: moment(),
    ...edited(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
    foreignKey({ columns: [table.companyId, table.requestedByAgentId], foreignColumns: [agents.companyId, agents.id] }),
    index("approvals_id").on(table.id),
    index("approvals_status").on(table.companyId, table.status, table.id),
    index("approvals_type").on(table.companyId, table.type, table.id),
    uniqueIndex("approvals_open_hire")
      .on(table.companyId, table.agentId)
      .where(sql`type = 'hire_agent' and status in ('pending', 'revision_requested')`),
    check("approvals_status", oneOf(table.status, approvalLifecycle.states)),
    check("approvals_type", oneOf(table.type, approvalTypes)),
  ],
);

/** Payloads that a resubmission replaced. Rows are only ever added. */
export const approvalPayloads = pgTable(
  "approval_payloads",
  {
    companyId: uuid().notNull(),
    approvalId: uuid().notNull(),
    version: integer().notNull(),
    payload: jsonb().$type<JsonObject>().notNull(),
    digest: text().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.approvalId, table.version] }),
    foreignKey({ columns: [table.companyId, table.approvalId], foreignColumns: [approvals.companyId, approvals.id] }),
  ],
);

/** Which approvals belong to which issues. */
export const approvalIssues = pgTable(
  "approval_issues",
  {
    companyId: uuid().notNull(),
    approvalId: uuid().notNull(),
    issueId: uuid().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.approvalId, table.issueId] }),
    foreignKey({ columns: [table.companyId, table.approvalId], foreignColumns: [approvals.companyId, approvals.id] }),
    foreignKey({ columns: [table.companyId, table.issueId], foreignColumns: [issues.companyId, issues.id] }),
    index("approval_issues_issue").on(table.companyId, table.issueId, table.approvalId),
  ],
);
