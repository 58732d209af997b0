import { roles } from "@roster/contract";
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { edited, oneOf } from "../../platform/database/index.ts";
import { users } from "../accounts/index.ts";
import { companyLifecycle } from "./lifecycle.ts";

/** Companies. The key of everything else begins with this `id`. */
export const companies = pgTable(
  "companies",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    description: text(),
    goal: text(),
    issuePrefix: text().notNull(),
    status: text({ enum: companyLifecycle.states as ["active", "paused", "archived"] }).notNull(),
    requireBoardApprovalForNewAgents: boolean().notNull(),
    agentsMayCreateKeys: boolean().notNull(),
    budgetMonthlyCents: bigint({ mode: "number" }).notNull(),
    runOutputDays: integer(),
    ...edited(),
  },
  (table) => [
    unique("companies_issue_prefix").on(table.issuePrefix),
    check("companies_status", oneOf(table.status, companyLifecycle.states)),
  ],
);

/** Who may do what in a company, of those who sign in. */
export const memberships = pgTable(
  "memberships",
  {
    companyId: uuid()
      .notNull()
      .references(() => companies.id),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    role: text({ enum: roles }).notNull(),
    ...edited(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.userId] }),
    index("memberships_joined").on(table.companyId, table.createdAt, table.userId),
    index("memberships_user").on(table.userId, table.companyId),
    check("memberships_role", oneOf(table.role, roles)),
  ],
);
