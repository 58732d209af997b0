import { setLogClosed } from "../../platform/activity/index.ts";
import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import { queueSignal } from "../../platform/signals.ts";
import { companyLifecycle } from "./lifecycle.ts";
import { type CompanyRow, lockCompany, updateCompany } from "./store.ts";

const actions = { pause: "company.paused", resume: "company.resumed", archive: "company.archived" } as const;

/** What stopping a company needs of the modules above this one, in its transaction. */
export interface StopNeeds {
  /** Asks for the end of its runs under way; what is queued waits. */
  readonly endRuns: (change: Change, why: string) => Promise<void>;
  /** Ends all its runs, those that are queued too. */
  readonly settleRuns: (change: Change, why: string) => Promise<void>;
}

/**
 * Pauses, resumes or archives a company. Archiving ends its runs and closes its log, so that nothing in it commits any
 * more.
 */
export async function moveCompany(
  change: Change,
  needs: StopNeeds,
  move: keyof typeof actions,
  ifMatch: number | null,
): Promise<CompanyRow> {
  const row = await lockCompany(change);
  requireVersion(row.version, ifMatch);
  const status = nextState(companyLifecycle, move, row.status);
  if (status === undefined) throw wrongState(companyLifecycle, move, row.status);
  const updated = await updateCompany(change, row, { status });
  change.record(actions[move], row.id, { name: row.name });
  if (move === "pause") await needs.endRuns(change, "its company was paused");
  if (move === "archive") await needs.settleRuns(change, "Its company was archived.");
  if (move !== "pause") await setLogClosed(change.write, row.id, move === "archive" ? change.recorded : null);
  if (move === "resume") change.announce(queueSignal);
  return updated;
}
