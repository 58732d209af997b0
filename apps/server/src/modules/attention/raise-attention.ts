import type { Change, EntryPlace } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { type AttentionRow, type Closing, closeAttention, insertAttention } from "./store.ts";

/** What somebody has to look at: of which entity, and what is the case. The board, where nobody else is named. */
export interface Call extends Pick<AttentionRow, "kind" | "entityType" | "entityId" | "message"> {
  readonly nextActor?: AttentionRow["nextActor"];
}

/** Calls for attention, in the change of what causes it. While one of its kind is open for its entity, nothing changes. */
export async function raiseAttention(change: Change, call: Call, place?: EntryPlace): Promise<void> {
  const row: AttentionRow = {
    nextActor: "board",
    ...call,
    companyId: change.companyId,
    id: newId(),
    createdAt: change.now,
    resolvedAt: null,
  };
  if (await insertAttention(change, row)) change.record("attention.raised", row.id, detailsOf(row), place);
}

/** Takes back what is open for these entities, of these kinds or of all, in the change that ends its reason. */
export async function resolveAttention(change: Change, closing: Closing, place?: EntryPlace): Promise<void> {
  for (const row of await closeAttention(change, closing)) {
    change.record("attention.resolved", row.id, detailsOf(row), place);
  }
}

/** What entries say of a call for attention. Pure. */
export const detailsOf = ({ kind, entityType, entityId, message }: AttentionRow) => ({
  kind,
  entityType,
  entityId,
  message,
});
