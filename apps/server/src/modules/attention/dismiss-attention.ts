import type { Change } from "../../platform/change.ts";
import { detailsOf } from "./raise-attention.ts";
import { type AttentionRow, closeOne, lockAttention } from "./store.ts";

/** Ends a call for attention, although its reason goes on. One that is over stays as it is. */
export async function dismissAttention(change: Change, attentionId: string): Promise<AttentionRow> {
  const row = await lockAttention(change, attentionId);
  if (row.resolvedAt !== null) return row;
  const closed = await closeOne(change, row);
  change.record("attention.dismissed", row.id, detailsOf(row));
  return closed;
}
