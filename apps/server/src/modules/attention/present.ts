import type { Attention } from "@roster/contract";
import type { AttentionRow } from "./store.ts";

/** A stored call for attention as the API shows it. */
export const presentAttention = (row: AttentionRow): Attention => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  resolvedAt: row.resolvedAt?.toISOString() ?? null,
});
