import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { changedFields, requireVersion } from "../../platform/edit.ts";
import { noteLimit } from "../budgets/index.ts";
import { type CompanyRow, lockCompany, updateCompany } from "./store.ts";

type Patch = Body<typeof contract.companies.change>;

/** Changes settings of a company. What equals the present value is no change; without any, nothing is written. */
export async function changeCompany(change: Change, patch: Patch, ifMatch: number | null): Promise<CompanyRow> {
  const row = await lockCompany(change);
  requireVersion(row.version, ifMatch);
  const values = changedFields(row, patch);
  const changed = Object.keys(values);
  if (changed.length === 0) return row;
  const updated = await updateCompany(change, row, values);
  await noteLimit(change, row.id, { before: row.budgetMonthlyCents, after: updated.budgetMonthlyCents });
  change.record("company.changed", row.id, { name: updated.name, changed });
  return updated;
}
