import type { Role } from "@roster/contract";
import { and, desc, eq, getTableColumns, lt, ne, notExists, or, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { prepared, type Reader } from "../../platform/database/index.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { users } from "../accounts/index.ts";
import { companies, memberships } from "./table.ts";

/** A membership as stored, with the person's name and address. */
export type MemberRow = typeof memberships.$inferSelect & { readonly name: string; readonly email: string };

const readRole = prepared("member-role", (db) =>
  db
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(eq(memberships.companyId, sql.placeholder("companyId")), eq(memberships.userId, sql.placeholder("userId"))),
    ),
);

/** The role of a person in a company, or null: one statement by primary key. */
export async function findRole(db: Reader, companyId: string, userId: string): Promise<Role | null> {
  const [row] = await readRole(db, { companyId, userId });
  return row?.role ?? null;
}

/** The name of a member of the scope's company; null where nobody there has this id. */
export async function findMemberName({ db, companyId }: Scope, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)));
  return row?.name ?? null;
}

/** True where the scope's company has members: people that have signed in once, beside the local board. */
export async function hasMembers({ db, companyId }: Scope): Promise<boolean> {
  const rows = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(eq(memberships.companyId, companyId))
    .limit(1);
  return rows.length > 0;
}

const selectMembers = (db: Reader) =>
  db
    .select({ ...getTableColumns(memberships), name: users.name, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId));

/** When a member joined, and its id: the place in the list. */
export interface Joining {
  readonly createdAt: Date;
  readonly userId: string;
}

/** Members newest first, at most `limit`, those who joined before `before`. */
export function listMembers(scope: Scope, page: { limit: number; before: Joining | null }): Promise<MemberRow[]> {
  const { before } = page;
  const isEarlier =
    before === null
      ? undefined
      : or(
          lt(memberships.createdAt, before.createdAt),
          and(eq(memberships.createdAt, before.createdAt), lt(memberships.userId, before.userId)),
        );
  return selectMembers(scope.db)
    .where(and(eq(memberships.companyId, scope.companyId), isEarlier))
    .orderBy(desc(memberships.createdAt), desc(memberships.userId))
    .limit(page.limit);
}

const isMember = (scope: Scope, userId: string) =>
  and(eq(memberships.companyId, scope.companyId), eq(memberships.userId, userId));

/** A member; throws Missing. */
export async function getMember(scope: Scope, userId: string): Promise<MemberRow> {
  const [row] = await selectMembers(scope.db).where(isMember(scope, userId));
  if (row === undefined) throw new Missing("member", userId);
  return row;
}

/**
 * Locks a member and the owners of the company until the change ends: how many owners there are. Call it before a role is
 * looked at that is to be changed or taken away.
 */
export async function lockMembership(change: Change, userId: string): Promise<number> {
  const locked = await change.db
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, change.companyId),
        or(eq(memberships.role, "owner"), eq(memberships.userId, userId)),
      ),
    )
    .orderBy(memberships.userId)
    .for("update");
  return locked.filter(({ role }) => role === "owner").length;
}

/** True when the person was added; false when it is a member already. */
export async function insertMembership(
  change: Change,
  { companyId, userId, role }: { companyId: string; userId: string; role: Role },
): Promise<boolean> {
  const { now } = change;
  const added = await change.write
    .insert(memberships)
    .values({ companyId, userId, role, version: 1, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return added.length === 1;
}

/** Makes a person the owner, whatever it was before; false when it is the owner already. */
export async function makeOwner(
  change: Change,
  { companyId, userId }: { companyId: string; userId: string },
): Promise<boolean> {
  const { now } = change;
  const made = await change.write
    .insert(memberships)
    .values({ companyId, userId, role: "owner", version: 1, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [memberships.companyId, memberships.userId],
      set: { role: "owner", version: sql`${memberships.version} + 1`, updatedAt: now },
      setWhere: ne(memberships.role, "owner"),
    })
    .returning({ userId: memberships.userId });
  return made.length === 1;
}

/** Writes a role and raises the version. */
export async function updateRole(change: Change, row: MemberRow, role: Role): Promise<MemberRow> {
  const values = { role, version: row.version + 1, updatedAt: change.now };
  await change.write.update(memberships).set(values).where(isMember(change, row.userId));
  return { ...row, ...values };
}

/** Removes a member. */
export async function deleteMembership(change: Change, userId: string): Promise<void> {
  await change.write.delete(memberships).where(isMember(change, userId));
}

/** Companies that nobody owns: founded while nobody signed in. Of an archived one the log is closed. */
export function listOwnerless(db: Reader): Promise<{ id: string; isArchived: boolean }[]> {
  const owners = db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, companies.id), eq(memberships.role, "owner")));
  const isArchived = sql<boolean>`${companies.status} = 'archived'`;
  return db.select({ id: companies.id, isArchived }).from(companies).where(notExists(owners)).orderBy(companies.id);
}
