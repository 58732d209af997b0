import { setLogClosed } from "../../platform/activity/index.ts";
import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import { companyLifecycle } from "./lifecycle.ts";
import { type CompanyRow, lockCompany, updateCompany } from "./store.ts";

const actions = { pause: "company.paused", resume: "company.resumed", archive: "company.archived" } as const;

/** Pauses, resumes or archives a company. Archiving closes its log, so that nothing in it commits any more. */
export async function moveCompany(
  change: Change,
  move: keyof typeof actions,
  ifMatch: number | null,
): Promise<CompanyRow> {
  const row = await lockCompany(change);
  requireVersion(row.version, ifMatch);
  const status = nextState(companyLifecycle, move, row.status);
  if (status === undefined) throw wrongState(companyLifecycle, move, row.status);
  const updated = await updateCompany(change, row, { status });
  if (move !== "pause") await setLogClosed(change.write, row.id, move === "archive");
  change.record(actions[move], row.id, { name: row.name });
  return updated;
}
