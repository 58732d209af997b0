import type { Company } from "@roster/client";
import { centsOf, dollarsOf } from "../agents/dollars.ts";

/** The settings of a company as a person edits them. */
export interface CompanyForm {
  readonly name: string;
  readonly goal: string;
  readonly description: string;
  readonly budget: string;
  readonly outputDays: string;
  readonly requiresApproval: boolean;
  readonly agentsMayCreateKeys: boolean;
}

/** A company as it is edited. Pure. */
export const formOf = (company: Company): CompanyForm => ({
  name: company.name,
  goal: company.goal ?? "",
  description: company.description ?? "",
  budget: dollarsOf(company.budgetMonthlyCents),
  outputDays: company.runOutputDays === null ? "" : String(company.runOutputDays),
  requiresApproval: company.requireBoardApprovalForNewAgents,
  agentsMayCreateKeys: company.agentsMayCreateKeys,
});

const textOf = (typed: string): string | null => (typed.trim() === "" ? null : typed);

/** Days as they are typed: null for none, undefined for what is no number of days. Pure. */
export function daysOf(typed: string): number | null | undefined {
  if (typed.trim() === "") return null;
  return /^\s*\d{1,4}\s*$/.test(typed) ? Number(typed) : undefined;
}

type Body = Partial<
  Pick<
    Company,
    | "name"
    | "goal"
    | "description"
    | "budgetMonthlyCents"
    | "runOutputDays"
    | "requireBoardApprovalForNewAgents"
    | "agentsMayCreateKeys"
  >
>;

/** What is to be changed: the fields that were edited, and no others; null where one of them cannot be read. Pure. */
export function changeOf(edits: Partial<CompanyForm>): Body | null {
  const cents = edits.budget === undefined ? undefined : centsOf(edits.budget);
  const days = edits.outputDays === undefined ? undefined : daysOf(edits.outputDays);
  if (cents === null || (edits.outputDays !== undefined && days === undefined)) return null;
  return {
    ...(edits.name !== undefined && { name: edits.name }),
    ...(edits.goal !== undefined && { goal: textOf(edits.goal) }),
    ...(edits.description !== undefined && { description: textOf(edits.description) }),
    ...(cents !== undefined && { budgetMonthlyCents: cents }),
    ...(days !== undefined && { runOutputDays: days }),
    ...(edits.requiresApproval !== undefined && { requireBoardApprovalForNewAgents: edits.requiresApproval }),
    ...(edits.agentsMayCreateKeys !== undefined && { agentsMayCreateKeys: edits.agentsMayCreateKeys }),
  };
}
