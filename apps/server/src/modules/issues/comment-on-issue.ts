import type { Change } from "../../platform/change.ts";
import { addComment, type CommentRow } from "../comments/index.ts";
import { getIssue, type IssueRow } from "./store.ts";
import { wakeAssignee } from "./wake-assignee.ts";

/** Comments on an issue, in whatever state it is. */
export async function commentOnIssue(change: Change, issueId: string, body: string): Promise<CommentRow> {
  return addIssueComment(change, await getIssue(change, issueId), body);
}

/**
 * Adds a comment to an issue that was read in this change, and wakes the agent that is to do it. Every comment on an
 * issue comes through here.
 */
export async function addIssueComment(change: Change, issue: IssueRow, body: string): Promise<CommentRow> {
  const { id, identifier, title } = issue;
  const subject = `${identifier} “${title}”`;
  const { comment, entryId } = await addComment(change, { on: { issueId: id }, subject, body });
  const news = { source: "comment", reason: `There is a new comment on ${subject}`, causeId: entryId } as const;
  await wakeAssignee(change, issue, { ...news, commentId: comment.id });
  return comment;
}
