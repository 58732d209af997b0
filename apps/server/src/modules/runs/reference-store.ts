import { and, eq } from "drizzle-orm";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import type { RunValues } from "./store.ts";
import { runs } from "./table.ts";

/** What a run that something refers to is about; throws Missing, for the path that named it. */
export async function getReferredRun(
  scope: Scope,
  runId: string,
  path: string,
): Promise<Pick<RunValues, "id" | "agentId" | "issueId">> {
  const [row] = await scope.db
    .select({ id: runs.id, agentId: runs.agentId, issueId: runs.issueId })
    .from(runs)
    .where(and(eq(runs.companyId, scope.companyId), eq(runs.id, runId)));
  if (row === undefined) throw new Missing("run", runId, path);
  return row;
}
