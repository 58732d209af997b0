import type { JsonObject } from "@roster/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { agentRevisions } from "../agents/index.ts";
import type { RunValues } from "./store.ts";
import { runs } from "./table.ts";

/** The environment that a claimed run was started with, as stored, and what "latest" meant for its secrets. */
export async function getRunEnvironment(scope: Scope, runId: string) {
  const [row] = await scope.db
    .select({
      env: sql<JsonObject>`coalesce(${agentRevisions.content} #> '{adapterConfig,env}', '{}'::jsonb)`,
      secretVersions: runs.secretVersions,
    })
    .from(runs)
    .innerJoin(
      agentRevisions,
      and(eq(agentRevisions.companyId, runs.companyId), eq(agentRevisions.id, runs.revisionId)),
    )
    .where(and(eq(runs.companyId, scope.companyId), eq(runs.id, runId)));
  if (row === undefined) throw new Missing("run", runId);
  return row;
}

/** Notes what a claimed run is told. */
export async function noteContext(
  change: Change,
  id: string,
  context: Pick<RunValues, "approvalStatus" | "linkedIssueIds" | "secretVersions">,
): Promise<void> {
  await change.write
    .update(runs)
    .set(context)
    .where(and(eq(runs.companyId, change.companyId), eq(runs.id, id)));
}
