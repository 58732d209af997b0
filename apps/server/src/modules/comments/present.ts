import type { Comment } from "@roster/contract";
import type { CommentRow } from "./store.ts";

/** A stored comment as the API shows it. */
export const presentComment = (row: CommentRow): Comment => ({
  id: row.id,
  companyId: row.companyId,
  issueId: row.issueId,
  approvalId: row.approvalId,
  body: row.body,
  authorAgentId: row.authorAgentId,
  authorUserId: row.authorUserId,
  createdAt: row.createdAt.toISOString(),
});
