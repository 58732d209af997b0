import type { Change } from "../../platform/change.ts";
import { addComment, type CommentRow } from "../comments/index.ts";
import { getIssue, type IssueRow } from "./store.ts";
import { subjectOf, wakeAssignee, wakeForIssue } from "./wake-assignee.ts";

/** Comments on an issue, in whatever state it is. */
export async function commentOnIssue(change: Change, issueId: string, body: string): Promise<CommentRow> {
  return addIssueComment(change, await getIssue(change, issueId), body);
}

/**
 * Adds a comment to an issue that was read in this change, and wakes the agent that is to do it, and those that the
 * comment mentions. Every comment on an issue comes through here.
 */
export async function addIssueComment(change: Change, issue: IssueRow, body: string): Promise<CommentRow> {
  const { id, assigneeAgentId } = issue;
  const subject = subjectOf(issue);
  const { comment, entryId, mentioned } = await addComment(change, { on: { issueId: id }, subject, body });
  const news = { causeId: entryId, commentId: comment.id };
  const reason = `There is a new comment on ${subject}`;
  await wakeAssignee(change, issue, { ...news, source: "comment", reason });
  for (const agentId of mentioned) {
    // Who is to do it has heard of it.
    if (agentId === assigneeAgentId) continue;
    await wakeForIssue(change, issue, agentId, { ...news, source: "mention", reason: `You are called on ${subject}` });
  }
  return comment;
}
