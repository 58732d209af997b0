import { and, desc, eq, gt, isNull, lt, notExists } from "drizzle-orm";
import type { Database, Reader } from "../../platform/database/index.ts";
import { instance } from "../../platform/instance.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Upkeep } from "../../platform/upkeep.ts";
import { sessions, users } from "./table.ts";

/** A person as stored. */
export type UserRow = typeof users.$inferSelect;
/** A session as stored. */
export type SessionRow = typeof sessions.$inferSelect;

/** The person with this e-mail address, or null. */
export async function findUserByEmail(db: Reader, email: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row ?? null;
}

/** Whose sessions; null: everybody's. */
export type Owner = string | null;

/** Sessions that are good, newest first. */
export function listSessions(
  scope: Scope,
  page: { owner: Owner; limit: number; before: string | null },
): Promise<SessionRow[]> {
  return scope.db
    .select()
    .from(sessions)
    .where(
      and(
        page.owner === null ? undefined : eq(sessions.userId, page.owner),
        gt(sessions.expiresAt, scope.now),
        page.before === null ? undefined : lt(sessions.id, page.before),
      ),
    )
    .orderBy(desc(sessions.id))
    .limit(page.limit);
}

/** A session of this person that is good, or null. */
export async function findSession({ db, now }: Scope, owner: Owner, id: string): Promise<SessionRow | null> {
  const isOwn = owner === null ? undefined : eq(sessions.userId, owner);
  const [row] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), isOwn, gt(sessions.expiresAt, now)));
  return row ?? null;
}

/** What the claim link is made from; null where there is none: somebody has claimed. */
export async function findClaimSalt(db: Reader): Promise<string | null> {
  const [row] = await db.select({ salt: instance.claimSalt }).from(instance);
  return row?.salt ?? null;
}

/** Keeps a salt for the claim link, unless there is one or somebody has an account. */
export async function keepClaimSalt(database: Database, salt: string): Promise<void> {
  await database.transaction(async (writer) => {
    const somebody = writer.select({ id: users.id }).from(users);
    await writer
      .update(instance)
      .set({ claimSalt: salt })
      .where(and(isNull(instance.claimSalt), notExists(somebody)));
  });
}

/** True when this was the salt, which is gone then: of several claims at once one gets it. */
export async function spendClaimSalt(upkeep: Upkeep, salt: string): Promise<boolean> {
  const spent = await upkeep
    .update(instance)
    .set({ claimSalt: null })
    .where(eq(instance.claimSalt, salt))
    .returning({ id: instance.id });
  return spent.length === 1;
}

/** Who runs the deployment. */
export function findAdmins(db: Reader): Promise<{ id: string; name: string }[]> {
  return db.select({ id: users.id, name: users.name }).from(users).where(eq(users.isInstanceAdmin, true));
}
