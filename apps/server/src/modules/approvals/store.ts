import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { prepared } from "../../platform/database/index.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { type IssueRow, issueColumns, issues } from "../issues/index.ts";
import { approvalIssues, approvalPayloads, approvals } from "./table.ts";

/** An approval as stored. */
export type ApprovalRow = typeof approvals.$inferSelect;

const isApproval = (scope: Scope, id: string): SQL | undefined =>
  and(eq(approvals.companyId, scope.companyId), eq(approvals.id, id));

const oneApproval = prepared("approval", (db) =>
  db
    .select()
    .from(approvals)
    .where(and(eq(approvals.companyId, sql.placeholder("companyId")), eq(approvals.id, sql.placeholder("id")))),
);

/** The approval; throws Missing (which a body named at `path`, if given). */
export async function getApproval({ db, companyId }: Scope, id: string, path?: string): Promise<ApprovalRow> {
  const [row] = await oneApproval(db, { companyId, id });
  if (row === undefined) throw new Missing("approval", id, path);
  return row;
}

/** The same, locked until the change ends. The agent it is about is locked before. */
export async function lockApproval(change: Change, id: string, path?: string): Promise<ApprovalRow> {
  const [row] = await change.db.select().from(approvals).where(isApproval(change, id)).for("update");
  if (row === undefined) throw new Missing("approval", id, path);
  return row;
}

/** The open hire of a locked agent, locked; null when there is none. */
export async function lockOpenHire(change: Change, agentId: string): Promise<ApprovalRow | null> {
  const [row] = await change.db
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.companyId, change.companyId),
        eq(approvals.agentId, agentId),
        eq(approvals.type, "hire_agent"),
        inArray(approvals.status, ["pending", "revision_requested"]),
      ),
    )
    .for("update");
  return row ?? null;
}

/** The open hire of an agent, by its id and whether it waits for a decision; null when there is none. */
export async function findOpenHire(scope: Scope, agentId: string): Promise<{ id: string; isPending: boolean } | null> {
  const [row] = await scope.db
    .select({ id: approvals.id, status: approvals.status })
    .from(approvals)
    .where(
      and(
        eq(approvals.companyId, scope.companyId),
        eq(approvals.agentId, agentId),
        eq(approvals.type, "hire_agent"),
        inArray(approvals.status, ["pending", "revision_requested"]),
      ),
    );
  return row === undefined ? null : { id: row.id, isPending: row.status === "pending" };
}

/** Approvals newest first, at most `limit`, older than the one with id `before`. */
export function listApprovals(
  scope: Scope,
  page: {
    limit: number;
    before: string | null;
    status: ApprovalRow["status"] | undefined;
    type: ApprovalRow["type"] | undefined;
  },
): Promise<ApprovalRow[]> {
  return scope.db
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.companyId, scope.companyId),
        page.before === null ? undefined : lt(approvals.id, page.before),
        page.status === undefined ? undefined : eq(approvals.status, page.status),
        page.type === undefined ? undefined : eq(approvals.type, page.type),
      ),
    )
    .orderBy(desc(approvals.id))
    .limit(page.limit);
}

/** Adds an approval with the issues it belongs to, in one statement. */
export async function insertApproval(change: Change, row: ApprovalRow, issueIds: readonly string[]): Promise<void> {
  const { write } = change;
  const adding = write.insert(approvals).values(row);
  if (issueIds.length === 0) {
    await adding;
    return;
  }
  const added = write.$with("added").as(adding.returning({ id: approvals.id }));
  await write
    .with(added)
    .insert(approvalIssues)
    .values(linksOf(change, row.id, issueIds));
}

/** Moves or revises a locked approval and raises its version; the `where` says once more from which state. */
export async function updateApproval(
  change: Change,
  row: ApprovalRow,
  values: Partial<ApprovalRow>,
): Promise<ApprovalRow> {
  const [updated] = await change.write
    .update(approvals)
    .set({ ...values, version: row.version + 1, updatedAt: change.now })
    .where(and(isApproval(change, row.id), eq(approvals.status, row.status), eq(approvals.version, row.version)))
    .returning();
  if (updated === undefined) throw new Error("a locked approval changed under its lock");
  return updated;
}

/** Keeps the payload an approval has now, before a resubmission replaces it. */
export async function keepPayload(
  change: Change,
  { id, payload, payloadVersion, payloadDigest, updatedAt }: ApprovalRow,
) {
  await change.write.insert(approvalPayloads).values({
    companyId: change.companyId,
    approvalId: id,
    version: payloadVersion,
    payload,
    digest: payloadDigest,
    createdAt: updatedAt,
  });
}

/** Payloads that were replaced, newest first, at most `limit`, below version `before`. */
export function listPayloads(scope: Scope, page: { approvalId: string; limit: number; before: number }) {
  return scope.db
    .select()
    .from(approvalPayloads)
    .where(
      and(
        eq(approvalPayloads.companyId, scope.companyId),
        eq(approvalPayloads.approvalId, page.approvalId),
        lt(approvalPayloads.version, page.before),
      ),
    )
    .orderBy(desc(approvalPayloads.version))
    .limit(page.limit);
}

const isLink = (scope: Scope, approvalId: string): SQL | undefined =>
  and(eq(approvalIssues.companyId, scope.companyId), eq(approvalIssues.approvalId, approvalId));

/** Links issues to an approval that it was not linked to before. */
export async function insertLinks(change: Change, approvalId: string, issueIds: readonly string[]): Promise<void> {
  await change.write.insert(approvalIssues).values(linksOf(change, approvalId, issueIds));
}

const linksOf = ({ companyId, now: createdAt }: Change, approvalId: string, issueIds: readonly string[]) =>
  issueIds.map((issueId) => ({ companyId, approvalId, issueId, createdAt }));

/** True when the issue is linked to the approval. */
export async function isLinked(scope: Scope, approvalId: string, issueId: string): Promise<boolean> {
  const rows = await scope.db
    .select({ issueId: approvalIssues.issueId })
    .from(approvalIssues)
    .where(and(isLink(scope, approvalId), eq(approvalIssues.issueId, issueId)));
  return rows.length > 0;
}

/** Removes a link. */
export async function deleteLink(change: Change, approvalId: string, issueId: string): Promise<void> {
  await change.write.delete(approvalIssues).where(and(isLink(change, approvalId), eq(approvalIssues.issueId, issueId)));
}

/** Ids of the issues linked to an approval, oldest link first, at most `limit`. */
export async function linkedIssueIds(scope: Scope, approvalId: string, limit: number): Promise<string[]> {
  const rows = await scope.db
    .select({ issueId: approvalIssues.issueId })
    .from(approvalIssues)
    .where(isLink(scope, approvalId))
    .orderBy(approvalIssues.createdAt, approvalIssues.issueId)
    .limit(limit);
  return rows.map(({ issueId }) => issueId);
}

/** Issues linked to an approval, newest issue first, at most `limit`, older than the one with id `before`. */
export async function listLinkedIssues(
  scope: Scope,
  page: { approvalId: string; limit: number; before: string | null },
): Promise<IssueRow[]> {
  const rows = await scope.db
    .select({ issue: issueColumns })
    .from(approvalIssues)
    .innerJoin(issues, and(eq(issues.companyId, approvalIssues.companyId), eq(issues.id, approvalIssues.issueId)))
    .where(and(isLink(scope, page.approvalId), page.before === null ? undefined : lt(issues.id, page.before)))
    .orderBy(desc(issues.id))
    .limit(page.limit);
  return rows.map(({ issue }) => issue);
}

/** Approvals linked to an issue, newest first, at most `limit`, older than the one with id `before`. */
export async function listLinkedApprovals(
  scope: Scope,
  page: { issueId: string; limit: number; before: string | null },
): Promise<ApprovalRow[]> {
  const rows = await scope.db
    .select({ approval: approvals })
    .from(approvalIssues)
    .innerJoin(
      approvals,
      and(eq(approvals.companyId, approvalIssues.companyId), eq(approvals.id, approvalIssues.approvalId)),
    )
    .where(
      and(
        eq(approvalIssues.companyId, scope.companyId),
        eq(approvalIssues.issueId, page.issueId),
        page.before === null ? undefined : sql`${approvals.id} < ${page.before}`,
      ),
    )
    .orderBy(desc(approvals.id))
    .limit(page.limit);
  return rows.map(({ approval }) => approval);
}
