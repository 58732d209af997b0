import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import { isLocalBoard } from "../../platform/scope.ts";
import { issuePrefixCandidate } from "./issue-prefix.ts";
import { insertMembership } from "./membership-store.ts";
import { type CompanyRow, insertCompany } from "./store.ts";

type Proposal = Body<typeof contract.companies.create>;

const mostCandidates = 1000;

/** Founds a company. A prefix that was asked for must be free; a derived one is numbered until it is. */
export async function createCompany(change: Change, { issuePrefix, ...settings }: Proposal): Promise<CompanyRow> {
  const company = {
    id: newId(),
    ...settings,
    status: "active" as const,
    version: 1,
    createdAt: change.now,
    updatedAt: change.now,
  };
  for (let n = 0; n < mostCandidates; n += 1) {
    const row = { ...company, issuePrefix: issuePrefix ?? issuePrefixCandidate(company.name, n) };
    if (await insertCompany(change, row)) {
      change.record("company.created", row.id, { name: row.name }, { companyId: row.id });
      await ownedByFounder(change, row.id);
      return { ...row, spentMicros: 0 };
    }
    if (issuePrefix !== undefined) break;
  }
  throw new Refusal("already_exists", "Another company uses this issue prefix; choose another.", {
    details: [{ path: "issuePrefix", message: "is taken" }],
  });
}

/** The local board needs no membership; whoever claims the deployment later gets what nobody owns. */
async function ownedByFounder(change: Change, companyId: string): Promise<void> {
  const { caller } = change;
  if (caller.kind !== "board" || isLocalBoard(caller)) return;
  await insertMembership(change, { companyId, userId: caller.userId, role: "owner" });
}
