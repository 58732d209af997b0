import { and, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { attention } from "./table.ts";

/** A call for attention as stored. */
export type AttentionRow = typeof attention.$inferSelect;

const isAttention = (scope: Scope, id: string): SQL | undefined =>
  and(eq(attention.companyId, scope.companyId), eq(attention.id, id));

/** A call for attention, locked until the change ends; throws Missing. */
export async function lockAttention(change: Change, id: string): Promise<AttentionRow> {
  const [row] = await change.db.select().from(attention).where(isAttention(change, id)).for("update");
  if (row === undefined) throw new Missing("attention", id);
  return row;
}

/** Which of them. `before` is the id of the last one of the page before. */
export interface AttentionPage {
  readonly limit: number;
  readonly before: string | null;
  readonly isOpen: boolean;
  readonly kind: AttentionRow["kind"] | undefined;
  readonly entityId: string | undefined;
}

/** What calls for attention, or did, newest first. */
export function listAttention(scope: Scope, page: AttentionPage): Promise<AttentionRow[]> {
  return scope.db
    .select()
    .from(attention)
    .where(
      and(
        eq(attention.companyId, scope.companyId),
        page.isOpen ? isNull(attention.resolvedAt) : isNotNull(attention.resolvedAt),
        page.before === null ? undefined : lt(attention.id, page.before),
        page.kind === undefined ? undefined : eq(attention.kind, page.kind),
        page.entityId === undefined ? undefined : eq(attention.entityId, page.entityId),
      ),
    )
    .orderBy(desc(attention.id))
    .limit(page.limit);
}

/** Adds a call for attention, unless one of its kind is open for its entity; false where one is. */
export async function insertAttention(change: Change, row: AttentionRow): Promise<boolean> {
  const added = await change.write
    .insert(attention)
    .values(row)
    .onConflictDoNothing({
      target: [attention.companyId, attention.entityId, attention.kind],
      where: sql`resolved_at is null`,
    })
    .returning({ id: attention.id });
  return added.length > 0;
}

/** What is to be closed: of these entities, of these kinds; of all kinds, where none is named. */
export interface Closing {
  readonly entityIds: readonly string[];
  readonly kinds?: readonly AttentionRow["kind"][];
}

/** Closes what is open; answers what it closed. */
export function closeAttention(change: Change, { entityIds, kinds }: Closing): Promise<AttentionRow[]> {
  return change.write
    .update(attention)
    .set({ resolvedAt: change.now })
    .where(
      and(
        eq(attention.companyId, change.companyId),
        inArray(attention.entityId, [...entityIds]),
        kinds === undefined ? undefined : inArray(attention.kind, [...kinds]),
        isNull(attention.resolvedAt),
      ),
    )
    .returning();
}

/** Closes one that is locked. */
export async function closeOne(change: Change, { id }: AttentionRow): Promise<AttentionRow> {
  const [closed] = await change.write
    .update(attention)
    .set({ resolvedAt: change.now })
    .where(and(isAttention(change, id), isNull(attention.resolvedAt)))
    .returning();
  if (closed === undefined) throw new Error("a locked call for attention was closed under its lock");
  return closed;
}
