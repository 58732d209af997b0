import type { IssueChange } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { changedFields, requireVersion } from "../../platform/edit.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import { assigneeAfter, isSameAssignee, recordAssignment, requireAssignment } from "./assignment.ts";
import { endsWith } from "./checkout.ts";
import { addIssueComment } from "./comment-on-issue.ts";
import { issueLifecycle, milestonesAt } from "./lifecycle.ts";
import { requireParent } from "./parentage.ts";
import { type Colleague, type IssueEdit, type IssueRow, lockGround, lockIssue, updateIssue } from "./store.ts";
import { type Edited, wakeAfterEdit } from "./wake-after-edit.ts";

/** Changes an issue, and comments on the change. What is not named stays; what equals the present value is no change. */
export async function changeIssue(
  change: Change,
  target: { issueId: string; ifMatch: number | null },
  { comment, ...patch }: IssueChange,
): Promise<IssueRow> {
  const { assigneeAgentId } = patch;
  const agent = typeof assigneeAgentId === "string" ? (await lockGround(change, assigneeAgentId)).agent : null;
  const row = await lockIssue(change, target.issueId);
  requireVersion(row.version, target.ifMatch);
  const edit = await editOf(change, row, patch, agent);
  const updated = Object.keys(edit).length === 0 ? row : await updateIssue(change, row, edit);
  await wakeAfterEdit(change, recordEdit(change, row, updated, agent));
  if (comment !== undefined) await addIssueComment(change, updated, comment);
  return updated;
}

/** The columns that change, once everything has been checked that could forbid it. */
async function editOf(
  change: Change,
  row: IssueRow,
  patch: Omit<IssueChange, "comment">,
  agent: Colleague | null,
): Promise<IssueEdit> {
  const { title, description, priority, parentId } = patch;
  const plain = changedFields(row, { title, description, priority, parentId });
  const assignee = assigneeAfter(row, patch);
  if (!isSameAssignee(row, assignee)) await requireAssignment(change, row, assignee, agent);
  if (typeof plain.parentId === "string") await requireParent(change, plain.parentId, row.id);
  const status = statusAfter(row, patch.status);
  return {
    ...plain,
    ...changedFields(row, { ...assignee, status, ...milestonesAt(status, row, change.now) }),
    ...checkoutAfter(row, { ...assignee, status }),
  };
}

function statusAfter(row: IssueRow, wish: IssueRow["status"] | undefined): IssueRow["status"] {
  if (wish === undefined || wish === row.status) return row.status;
  const status = nextState(issueLifecycle, wish, row.status);
  if (status === undefined) throw wrongState(issueLifecycle, wish, row.status);
  return status;
}

function checkoutAfter(row: IssueRow, issue: Pick<IssueRow, "status" | "assigneeAgentId">): IssueEdit {
  const { checkoutAgentId: agentId, checkoutRunId: runId } = row;
  if (agentId === null || !endsWith({ agentId, runId }, issue)) return {};
  return { checkoutAgentId: null, checkoutRunId: null, checkoutAt: null };
}

/** Tells the log what changed. */
function recordEdit(change: Change, before: IssueRow, after: IssueRow, agent: Colleague | null): Edited {
  const { id, identifier, title } = after;
  const { description, priority, parentId } = after;
  const changed = Object.keys(changedFields(before, { title, description, priority, parentId }));
  if (changed.length > 0) change.record("issue.changed", id, { identifier, title, changed });
  const moved =
    before.status === after.status
      ? null
      : change.record("issue.moved", id, { identifier, title, from: before.status, to: after.status });
  const assigned = isSameAssignee(before, after) ? null : recordAssignment(change, after, agent);
  return { before, after, moved, assigned };
}
