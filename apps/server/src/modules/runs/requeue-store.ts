import { and, eq, sql } from "drizzle-orm";
import { type Change, LostRace } from "../../platform/change.ts";
import { databaseFault } from "../../platform/database/index.ts";
import { type RunValues, updateRun } from "./store.ts";
import { runs } from "./table.ts";

/** Puts a locked run that was claimed and never started back into the queue. */
export function requeueRun(change: Change, run: RunValues): Promise<RunValues> {
  const unclaimed = { runnerId: null, claimedAt: null, revisionId: null, secretVersions: null };
  return updateRun(change, run, { status: "queued", ending: null, ...unclaimed }).catch((error: unknown) => {
    // A wake has come since it was looked for: begun again, it is found.
    if (databaseFault(error)?.constraint === "runs_queued") throw new LostRace("place in the queue");
    throw error;
  });
}

/** True where another run waits for the same agent, issue and approval. */
export async function hasTwin(change: Change, run: RunValues): Promise<boolean> {
  const rows = await change.db
    .select({ id: runs.id })
    .from(runs)
    .where(
      and(
        eq(runs.companyId, change.companyId),
        eq(runs.agentId, run.agentId),
        eq(runs.status, "queued"),
        sql`(${runs.issueId}, ${runs.approvalId}) is not distinct from (${run.issueId}::uuid, ${run.approvalId}::uuid)`,
      ),
    );
  return rows.length > 0;
}
