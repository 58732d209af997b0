import { and, asc, count, eq, lt, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Database, Reader } from "../../platform/database/index.ts";
import { instance } from "../../platform/instance.ts";
import { secrets, secretVersions } from "./table.ts";

/** A value as it is stored, and what it is bound to. */
export interface StoredValue {
  readonly companyId: string;
  readonly secretId: string;
  readonly name: string;
  readonly number: number;
  readonly sealed: Buffer;
  readonly keyVersion: number;
}

/** Values that are sealed under an older master key than this, behind the one given, at most `limit`. */
export function listOlderValues(
  db: Reader,
  keyVersion: number,
  page: { after: StoredValue | null; limit: number },
): Promise<StoredValue[]> {
  const { companyId, secretId, number } = secretVersions;
  const { after } = page;
  const isBehind =
    after &&
    sql`(${companyId}, ${secretId}, ${number}) > (${after.companyId}::uuid, ${after.secretId}::uuid, ${after.number})`;
  return db
    .select({
      companyId,
      secretId,
      name: secrets.name,
      number,
      sealed: secretVersions.sealed,
      keyVersion: secretVersions.keyVersion,
    })
    .from(secretVersions)
    .innerJoin(secrets, and(eq(secrets.companyId, companyId), eq(secrets.id, secretId)))
    .where(and(lt(secretVersions.keyVersion, keyVersion), isBehind ?? undefined))
    .orderBy(asc(companyId), asc(secretId), asc(number))
    .limit(page.limit);
}

/**
 * Puts newly sealed values in place of the old, all or none; one that another server has sealed anew stays as it is.
 * Answers how many were replaced. No entry of the log: how a value is sealed is nothing that anybody is shown.
 */
export function replaceSealed(
  database: Database,
  keyVersion: number,
  values: readonly (readonly [StoredValue, Buffer])[],
): Promise<number> {
  return database.transaction(async (writer) => {
    let replaced = 0;
    for (const [{ companyId, secretId, number, keyVersion: before }, sealed] of values) {
      const rows = await writer
        .update(secretVersions)
        .set({ sealed, keyVersion })
        .where(
          and(
            eq(secretVersions.companyId, companyId),
            eq(secretVersions.secretId, secretId),
            eq(secretVersions.number, number),
            eq(secretVersions.keyVersion, before),
          ),
        )
        .returning({ number: secretVersions.number });
      replaced += rows.length;
    }
    return replaced;
  });
}

/** Whether values may still be sealed under the former master key. */
export async function isResealing(db: Reader): Promise<boolean> {
  const [row] = await db.select({ isResealing: instance.isResealing }).from(instance);
  return row?.isResealing ?? false;
}

/**
 * Notes that the former master key of this one is not needed any more. `left` when more values than those that are
 * `lost` are still sealed under it, `noted` when another server has noted it. Nobody stores a value meanwhile.
 */
export async function endResealing(
  change: Change,
  keyVersion: number,
  lost: number,
): Promise<"ended" | "left" | "noted"> {
  await change.db.execute(sql`lock table ${secretVersions} in share mode`);
  const [older] = await change.db
    .select({ values: count() })
    .from(secretVersions)
    .where(lt(secretVersions.keyVersion, keyVersion));
  if ((older?.values ?? 0) > lost) return "left";
  const ended = await change.upkeep
    .update(instance)
    .set({ isResealing: false })
    .where(and(eq(instance.isResealing, true), eq(instance.masterKeyVersion, keyVersion)))
    .returning({ id: instance.id });
  return ended.length === 1 ? "ended" : "noted";
}
