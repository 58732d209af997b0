import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { mentionsIn } from "./mentions.ts";
import { type CommentRow, type CommentSubject, insertComment, listAgentsCalled } from "./store.ts";

/** A comment to be added. Its author is the caller. */
export interface NewComment {
  readonly on: CommentSubject;
  /** What people call the thing it is on; the log says "commented on …". */
  readonly subject: string;
  /** Markdown, 1 to 65,536 bytes in UTF-8. */
  readonly body: string;
}

/** A comment, the entry of the log that says so, for wakes to name as their cause, and whom it calls. */
export interface AddedComment {
  readonly comment: CommentRow;
  readonly entryId: string;
  /** The agents that it mentions. */
  readonly mentioned: readonly string[];
}

/**
 * Adds a comment to something that is there and may be changed; both are for the caller to have checked. Wakes nobody:
 * who is to hear of a comment depends on what it is on.
 */
export async function addComment(change: Change, { on, subject, body }: NewComment): Promise<AddedComment> {
  const { caller } = change;
  const row: CommentRow = {
    companyId: change.companyId,
    id: newId(),
    issueId: "issueId" in on ? on.issueId : null,
    approvalId: "approvalId" in on ? on.approvalId : null,
    body,
    authorAgentId: caller.kind === "agent" ? caller.agentId : null,
    authorUserId: caller.kind === "board" ? caller.userId : null,
    createdAt: change.now,
  };
  await insertComment(change, row);
  const details = { issueId: row.issueId, approvalId: row.approvalId, subject };
  const entryId = change.record("comment.created", row.id, details);
  return { comment: row, entryId, mentioned: await listAgentsCalled(change, mentionsIn(body)) };
}
