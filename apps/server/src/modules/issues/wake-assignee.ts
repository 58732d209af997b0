import { issuePriorities } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { recordWake } from "../runs/index.ts";
import { isClosed } from "./lifecycle.ts";
import type { IssueRow } from "./store.ts";

/** What happened to an issue that an agent should know. */
export interface News {
  readonly source: "assignment" | "comment" | "mention" | "child_done" | "unblocked";
  readonly reason: string;
  readonly causeId: string;
  readonly commentId?: string;
}

/** Wakes the agent that is to do an issue, if it is an agent's. */
export async function wakeAssignee(change: Change, issue: IssueRow, news: News): Promise<void> {
  if (issue.assigneeAgentId !== null) await wakeForIssue(change, issue, issue.assigneeAgentId, news);
}

/** Wakes an agent because of an issue. */
export async function wakeForIssue(change: Change, issue: IssueRow, agentId: string, news: News): Promise<void> {
  const { source, reason, causeId, commentId } = news;
  await recordWake(change, {
    source,
    reason,
    causeId,
    agentId,
    issueId: issue.id,
    priority: issuePriorities.indexOf(issue.priority),
    payload: commentId === undefined ? {} : { commentId },
  });
}

/** What people call an issue. Pure. */
export const subjectOf = ({ identifier, title }: Pick<IssueRow, "identifier" | "title">): string =>
  `${identifier} “${title}”`;

/** True for an issue that its assignee should start on: it is neither over nor put off. Pure. */
export const isToDo = ({ status }: Pick<IssueRow, "status">): boolean => status !== "backlog" && !isClosed(status);
