import { and, asc, eq, gt, inArray, type SQL } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { agents } from "../agents/index.ts";
import { comments } from "./table.ts";

/** A comment as stored. */
export type CommentRow = typeof comments.$inferSelect;
/** What a comment is on: one issue or one approval of the scope's company. */
export type CommentSubject = { readonly issueId: string } | { readonly approvalId: string };

const isOn = (on: CommentSubject): SQL =>
  "issueId" in on ? eq(comments.issueId, on.issueId) : eq(comments.approvalId, on.approvalId);

/**
 * Comments on one thing, oldest first, at most `limit`, newer than the one with id `after`. Empty also where it is
 * none.
 */
export function listComments(
  scope: Scope,
  on: CommentSubject,
  page: { limit: number; after: string | null },
): Promise<CommentRow[]> {
  return scope.db
    .select()
    .from(comments)
    .where(
      and(
        eq(comments.companyId, scope.companyId),
        isOn(on),
        page.after === null ? undefined : gt(comments.id, page.after),
      ),
    )
    .orderBy(asc(comments.id))
    .limit(page.limit);
}

/** Adds a comment. */
export async function insertComment(change: Change, row: CommentRow): Promise<void> {
  await change.write.insert(comments).values(row);
}

/** The agents of the company that go by these urlKeys. */
export async function listAgentsCalled(scope: Scope, urlKeys: readonly string[]): Promise<string[]> {
  if (urlKeys.length === 0) return [];
  const rows = await scope.db
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.companyId, scope.companyId), inArray(agents.urlKey, [...urlKeys])))
    .orderBy(agents.id);
  return rows.map(({ id }) => id);
}
