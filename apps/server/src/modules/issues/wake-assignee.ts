import { issuePriorities } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { recordWake } from "../runs/index.ts";
import { isClosed } from "./lifecycle.ts";
import type { IssueRow } from "./store.ts";

/** What happened to an issue that the agent which is to do it should know. */
export interface News {
  readonly source: "assignment" | "comment";
  readonly reason: string;
  readonly causeId: string;
  readonly commentId?: string;
}

/** Wakes the agent that is to do an issue, if it is an agent's. */
export async function wakeAssignee(change: Change, issue: IssueRow, news: News): Promise<void> {
  if (issue.assigneeAgentId === null) return;
  const { source, reason, causeId, commentId } = news;
  await recordWake(change, {
    source,
    reason,
    causeId,
    agentId: issue.assigneeAgentId,
    issueId: issue.id,
    priority: issuePriorities.indexOf(issue.priority),
    payload: commentId === undefined ? {} : { commentId },
  });
}

/** True for an issue that its assignee should start on: it is neither over nor put off. Pure. */
export const isToDo = ({ status }: Pick<IssueRow, "status">): boolean => status !== "backlog" && !isClosed(status);
