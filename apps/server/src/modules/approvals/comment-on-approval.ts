import type { Change } from "../../platform/change.ts";
import { addComment, type CommentRow } from "../comments/index.ts";
import { getApproval } from "./store.ts";
import { wakeForApproval, wakeRequester } from "./wake-requester.ts";

/** Comments on an approval. What the board says wakes the agent that asked; those that are mentioned it wakes anyhow. */
export async function commentOnApproval(change: Change, approvalId: string, body: string): Promise<CommentRow> {
  const approval = await getApproval(change, approvalId);
  const { subject, requestedByAgentId } = approval;
  const { comment, entryId, mentioned } = await addComment(change, { on: { approvalId }, body, subject });
  const news = { causeId: entryId, payload: { commentId: comment.id } };
  const isHeard = change.caller.kind === "board";
  if (isHeard) {
    await wakeRequester(change, approval, { ...news, source: "comment", reason: `The board commented on: ${subject}` });
  }
  const others = mentioned.filter((agentId) => !isHeard || agentId !== requestedByAgentId);
  await wakeForApproval(change, approval, others, {
    ...news,
    source: "mention",
    reason: `You are called on: ${subject}`,
  });
  return comment;
}
