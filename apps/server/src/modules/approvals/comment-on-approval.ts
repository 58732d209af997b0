import type { Change } from "../../platform/change.ts";
import { addComment, type CommentRow } from "../comments/index.ts";
import { getApproval } from "./store.ts";
import { wakeRequester } from "./wake-requester.ts";

/** Comments on an approval. What the board says wakes the agent that asked. */
export async function commentOnApproval(change: Change, approvalId: string, body: string): Promise<CommentRow> {
  const approval = await getApproval(change, approvalId);
  const { comment, entryId } = await addComment(change, { on: { approvalId }, body, subject: approval.subject });
  if (change.caller.kind === "board") {
    const news = {
      causeId: entryId,
      source: "comment",
      reason: `The board commented on: ${approval.subject}`,
    } as const;
    await wakeRequester(change, approval, { ...news, payload: { commentId: comment.id } });
  }
  return comment;
}
