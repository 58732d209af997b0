import { eq, type SQL, sql } from "drizzle-orm";
import { databaseFault, type Writer } from "../database/index.ts";
import { activityHeads } from "./table.ts";

/** One entry as a change records it, before it has its place in the sequence. */
export interface Entry {
  readonly id: string;
  readonly companyId: string;
  readonly action: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly actorKind: "agent" | "user" | "system";
  readonly actorId: string | null;
  readonly runId: string | null;
  readonly causeId: string | null;
  readonly rootId: string;
  readonly hops: number;
  readonly details: Record<string, unknown>;
  readonly requestId: string;
}

/** The log of the company takes no more entries. */
export class LogClosed extends Error {
  readonly companyId: string;

  constructor(companyId: string) {
    super(`the log of ${companyId} is closed`);
    this.companyId = companyId;
  }
}

/** Closes the log after the entries that the change has recorded, so many, or opens it again. */
export async function setLogClosed(db: Writer, companyId: string, after: number | null): Promise<void> {
  await db
    .update(activityHeads)
    .set({ closedAfter: after === null ? null : sql`${activityHeads.lastSeq} + ${after}::int` })
    .where(eq(activityHeads.companyId, companyId));
}

/**
 * Appends entries of one company. Must be the last statement before COMMIT: it takes the lock of the company's head,
 * so the order of commits is the order of the sequence, and a rollback leaves no gap. Throws {@link LogClosed}.
 */
export async function appendEntries(db: Writer, companyId: string, entries: readonly Entry[]): Promise<void> {
  const rows = JSON.stringify(entries.map((entry, index) => ({ ...entry, ord: index + 1 })));
  const added = await db.execute<{ seq: string }>(sql`
    with head as (
      update activity_heads set last_seq = last_seq + ${entries.length}
      where company_id = ${companyId} and (closed_after is null or last_seq + ${entries.length} <= closed_after)
      returning last_seq
    )
    insert into activity (company_id, seq, id, action, entity_type, entity_id, actor_kind, actor_id, run_id, cause_id,
      root_id, hops, details, request_id, created_at)
    select ${companyId}, head.last_seq - ${entries.length} + e.ord, e.id, e.action, e."entityType", e."entityId",
      e."actorKind", e."actorId", e."runId", e."causeId", e."rootId", e.hops, e.details, e."requestId", clock_timestamp()
    from head, jsonb_to_recordset(${rows}::jsonb) as e(ord bigint, id uuid, action text, "entityType" text,
      "entityId" uuid, "actorKind" text, "actorId" uuid, "runId" uuid, "causeId" uuid, "rootId" uuid, hops int,
      details jsonb, "requestId" text)
    returning seq`);
  if (added.length !== entries.length) throw new LogClosed(companyId);
}

/** An entry that a statement adds itself: what it writes says the rest. */
export type OwnEntry = Omit<Entry, "causeId" | "rootId" | "hops" | "details">;

/** What a statement says of its entry. */
export type EntryRest = Pick<Entry, "causeId" | "rootId" | "hops" | "details">;

/**
 * Runs one statement that writes and appends its own entry, so that both stand or neither does without a transaction
 * around it. `steps` are common tables; the last is `done`, whose one row has `cause_id`, `root_id`, `hops` and
 * `details`, and which has none where there was nothing to do. The head is locked after all of them. They must not write
 * what refers to rows that others lock for more than a moment: such a reference is checked when the head is locked
 * already. Null where nothing was done. Throws {@link LogClosed}.
 */
export async function appendOwnEntry(db: Writer, steps: SQL, entry: OwnEntry): Promise<EntryRest | null> {
  const { companyId } = entry;
  const [added] = await db
    .execute<EntryRest & Record<string, unknown>>(sql`
    with ${steps}, head as (
      update activity_heads h set last_seq = h.last_seq + 1 from done
      where h.company_id = ${companyId} and (h.closed_after is null or h.last_seq < h.closed_after)
      returning h.last_seq
    )
    insert into activity (company_id, seq, id, action, entity_type, entity_id, actor_kind, actor_id, run_id, cause_id,
      root_id, hops, details, request_id, created_at)
    select ${companyId}, head.last_seq, ${entry.id}, ${entry.action}, ${entry.entityType}, ${entry.entityId},
      ${entry.actorKind}, ${entry.actorId}, ${entry.runId}, done.cause_id, done.root_id, done.hops, done.details,
      ${entry.requestId}, clock_timestamp()
    from done left join head on true
    returning cause_id as "causeId", root_id as "rootId", hops, details`)
    .catch((error: unknown) => {
      // Without a head there is no number.
      if (databaseFault(error)?.code === noValue) throw new LogClosed(companyId);
      throw error;
    });
  return added ?? null;
}

/** What the database says of a column that must have a value and got none. */
const noValue = "23502";
