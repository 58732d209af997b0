import { and, desc, eq, gt, isNull, lt, type SQL } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Reader } from "../../platform/database/index.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { invitations } from "./table.ts";

/** An invitation as stored. */
export type InvitationRow = typeof invitations.$inferSelect;

const isOpen = (now: Date): SQL | undefined => and(isNull(invitations.closedAt), gt(invitations.expiresAt, now));

const own = (scope: Scope, id: string): SQL | undefined =>
  and(eq(invitations.companyId, scope.companyId), eq(invitations.id, id), isOpen(scope.now));

/** Open invitations, newest first. */
export function listInvitations(
  scope: Scope,
  page: { limit: number; before: string | null },
): Promise<InvitationRow[]> {
  const isOlder = page.before === null ? undefined : lt(invitations.id, page.before);
  return scope.db
    .select()
    .from(invitations)
    .where(and(eq(invitations.companyId, scope.companyId), isOpen(scope.now), isOlder))
    .orderBy(desc(invitations.id))
    .limit(page.limit);
}

/** An open invitation; throws Missing. */
export async function getInvitation(scope: Scope, id: string): Promise<InvitationRow> {
  const [row] = await scope.db.select().from(invitations).where(own(scope, id));
  if (row === undefined) throw new Missing("invitation", id);
  return row;
}

/** The open invitation whose token has this hash, or null. */
export async function findByHash(db: Reader, hash: string, now: Date): Promise<InvitationRow | null> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.hash, hash), isOpen(now)));
  return row ?? null;
}

/** Adds an invitation. */
export async function insertInvitation(change: Change, row: InvitationRow): Promise<void> {
  await change.write.insert(invitations).values(row);
}

/** Closes an open invitation of the scope's company: of several at once one gets it, the others get null. */
export async function closeInvitation(change: Change, id: string): Promise<InvitationRow | null> {
  const [row] = await change.write.update(invitations).set({ closedAt: change.now }).where(own(change, id)).returning();
  return row ?? null;
}
