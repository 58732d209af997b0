import { closedIssueStatuses, issueStatuses, openIssueStatuses } from "@roster/contract";
import { lifecycle } from "../../platform/lifecycle.ts";

/** A state of an issue. */
export type IssueStatus = (typeof issueStatuses)[number];

/**
 * States of an issue and the moves between them; a change of status is the move named after its end. People sort open
 * work as they like, but what waits in the backlog has nothing to review, and what is over is first taken up again.
 */
export const issueLifecycle = lifecycle({
  entity: "issue",
  states: issueStatuses,
  moves: {
    backlog: { from: ["todo", "in_progress", "in_review", "blocked", "done", "cancelled"], to: "backlog" },
    todo: { from: ["backlog", "in_progress", "in_review", "blocked", "done", "cancelled"], to: "todo" },
    in_progress: { from: ["backlog", "todo", "in_review", "blocked", "done", "cancelled"], to: "in_progress" },
    in_review: { from: ["todo", "in_progress", "blocked"], to: "in_review" },
    blocked: { from: ["backlog", "todo", "in_progress", "in_review"], to: "blocked" },
    done: { from: openIssueStatuses, to: "done" },
    cancelled: { from: openIssueStatuses, to: "cancelled" },
    checkout: { from: openIssueStatuses, to: "in_progress" },
    release: { from: ["in_progress"], to: "todo" },
  },
});

/** True for a state in which nobody has anything to do any more. */
export const isClosed = (status: IssueStatus): boolean =>
  (closedIssueStatuses as readonly IssueStatus[]).includes(status);

/** When an issue was first in progress and when it was closed. */
export interface Milestones {
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/**
 * The milestones of an issue that is in this state from now on. The start stays for ever, the end until reopened. Pure.
 */
export function milestonesAt(status: IssueStatus, present: Milestones, now: Date): Milestones {
  return {
    startedAt: present.startedAt ?? (status === "in_progress" ? now : null),
    completedAt: isClosed(status) ? (present.completedAt ?? now) : null,
  };
}
