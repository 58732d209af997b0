import { bigint, boolean, check, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { edited, oneOf } from "../../platform/database/index.ts";
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
    ...edited(),
  },
  (table) => [
    unique("companies_issue_prefix").on(table.issuePrefix),
    check("companies_status", oneOf(table.status, companyLifecycle.states)),
  ],
);
