import { and, eq, inArray } from "drizzle-orm";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import type { IssueRow } from "./store.ts";
import { issues } from "./table.ts";

/** An issue as other things refer to it. */
export type IssueReference = Pick<IssueRow, "id" | "identifier">;

/** These issues; keys are ids, values the paths that named them. Throws Missing for one the company does not have. */
export async function getReferredIssues(scope: Scope, paths: ReadonlyMap<string, string>): Promise<IssueReference[]> {
  if (paths.size === 0) return [];
  const rows = await scope.db
    .select({ id: issues.id, identifier: issues.identifier })
    .from(issues)
    .where(and(eq(issues.companyId, scope.companyId), inArray(issues.id, [...paths.keys()])));
  const found = new Set(rows.map(({ id }) => id));
  for (const [id, path] of paths) if (!found.has(id)) throw new Missing("issue", id, path);
  return rows;
}
