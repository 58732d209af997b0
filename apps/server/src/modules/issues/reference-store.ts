import { closedIssueStatuses } from "@roster/contract";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { type IssueRow, issueColumns } from "./store.ts";
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

const isOver = sql.raw(closedIssueStatuses.map((status) => `'${status}'`).join(", "));
const hasOpenParts: SQL<boolean> = sql<boolean>`exists (select from issues p
  where p.company_id = issues.company_id and p.parent_id = issues.id and p.status not in (${isOver}))`;

/** The issue that others are parts of, and whether one of them is open. */
export async function getWhole(scope: Scope, id: string): Promise<{ whole: IssueRow; hasOpenParts: boolean }> {
  const [row] = await scope.db
    .select({ whole: issueColumns, hasOpenParts })
    .from(issues)
    .where(and(eq(issues.companyId, scope.companyId), eq(issues.id, id)));
  if (row === undefined) throw new Missing("issue", id);
  return row;
}
