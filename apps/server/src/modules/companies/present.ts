import type { Company } from "@roster/contract";
import type { Versioned } from "../../platform/http/index.ts";
import { centsOf } from "../budgets/index.ts";
import type { CompanyRow } from "./store.ts";

/** A stored company as the API shows it. */
export function presentCompany(row: CompanyRow): Company {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    goal: row.goal,
    issuePrefix: row.issuePrefix,
    status: row.status,
    requireBoardApprovalForNewAgents: row.requireBoardApprovalForNewAgents,
    agentsMayCreateKeys: row.agentsMayCreateKeys,
    budgetMonthlyCents: row.budgetMonthlyCents,
    runOutputDays: row.runOutputDays,
    spentMonthlyCents: centsOf(row.spentMicros),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The same with the number of its ETag. */
export const versionedCompany = (row: CompanyRow): Versioned<Company> => ({
  version: row.version,
  body: presentCompany(row),
});
