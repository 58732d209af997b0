import { and, desc, eq, getTableColumns, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { secrets, secretVersions } from "./table.ts";

/** A secret as stored, without its values. */
export type SecretRow = typeof secrets.$inferSelect;
/** One encrypted value as stored. */
export type SecretVersionRow = typeof secretVersions.$inferSelect;
/** A secret with some of its encrypted values, by number. */
export interface SecretWithValues {
  readonly secret: SecretRow;
  readonly values: ReadonlyMap<number, SecretVersionRow>;
}

const isSecret = (scope: Scope, id: string): SQL | undefined =>
  and(eq(secrets.companyId, scope.companyId), eq(secrets.id, id));

/** The secret of the scope's company; throws Missing. */
export async function getSecret(scope: Scope, id: string): Promise<SecretRow> {
  const [row] = await scope.db.select().from(secrets).where(isSecret(scope, id));
  if (row === undefined) throw new Missing("secret", id);
  return row;
}

/** The same, locked until the change ends. */
export async function lockSecret(change: Change, id: string): Promise<SecretRow> {
  const [row] = await change.db.select().from(secrets).where(isSecret(change, id)).for("update");
  if (row === undefined) throw new Missing("secret", id);
  return row;
}

/** Secrets newest first, at most `limit`, older than the one with id `before`. */
export function listSecrets(scope: Scope, page: { limit: number; before: string | null }): Promise<SecretRow[]> {
  return scope.db
    .select()
    .from(secrets)
    .where(and(eq(secrets.companyId, scope.companyId), page.before === null ? undefined : lt(secrets.id, page.before)))
    .orderBy(desc(secrets.id))
    .limit(page.limit);
}

/** The secrets with these names or ids, each with its latest value and those of the given numbers. One statement. */
export async function findSecrets(
  scope: Scope,
  wanted: { names: readonly string[]; ids: readonly string[]; numbers: readonly number[] },
): Promise<SecretWithValues[]> {
  const rows = await scope.db
    .select({ secret: getTableColumns(secrets), version: getTableColumns(secretVersions) })
    .from(secrets)
    .innerJoin(
      secretVersions,
      and(
        eq(secretVersions.companyId, secrets.companyId),
        eq(secretVersions.secretId, secrets.id),
        or(eq(secretVersions.number, secrets.latestVersion), inArray(secretVersions.number, [...wanted.numbers])),
      ),
    )
    .where(
      and(
        eq(secrets.companyId, scope.companyId),
        or(inArray(secrets.name, [...wanted.names]), inArray(secrets.id, [...wanted.ids])),
      ),
    );
  const found = new Map<string, { secret: SecretRow; values: Map<number, SecretVersionRow> }>();
  for (const { secret, version } of rows) {
    const entry = found.get(secret.id) ?? { secret, values: new Map<number, SecretVersionRow>() };
    found.set(secret.id, entry);
    entry.values.set(version.number, version);
  }
  return [...found.values()];
}

/** True when the secret was added; false when its name is taken. Its first value is to follow. */
export async function insertSecret(change: Change, row: SecretRow): Promise<boolean> {
  const added = await change.write
    .insert(secrets)
    .values(row)
    .onConflictDoNothing({ target: [secrets.companyId, secrets.name] })
    .returning({ id: secrets.id });
  return added.length === 1;
}

const oneVersionMore = (change: Change) => ({
  latestVersion: sql`${secrets.latestVersion} + 1`,
  version: sql`${secrets.version} + 1`,
  updatedAt: change.now,
});

/** Counts a new version of a locked secret. Its value is to follow. */
export async function raiseLatest(change: Change, row: SecretRow): Promise<SecretRow> {
  const [raised] = await change.write
    .update(secrets)
    .set(oneVersionMore(change))
    .where(and(isSecret(change, row.id), eq(secrets.version, row.version)))
    .returning();
  if (raised === undefined) throw new Error("a locked secret changed under its lock");
  return raised;
}

/**
 * Adds these secrets; of a name that is there already it counts a new version. Their values are to follow. One statement;
 * sorted, so that two changes which store the same names wait for each other and do not deadlock.
 */
export function insertOrRaise(change: Change, rows: readonly SecretRow[]): Promise<SecretRow[]> {
  const sorted = [...rows].sort((a, b) => (a.name < b.name ? -1 : 1));
  return change.write
    .insert(secrets)
    .values(sorted)
    .onConflictDoUpdate({ target: [secrets.companyId, secrets.name], set: oneVersionMore(change) })
    .returning();
}

/** Stores encrypted values. */
export async function insertValues(change: Change, rows: readonly SecretVersionRow[]): Promise<void> {
  await change.write.insert(secretVersions).values([...rows]);
}
