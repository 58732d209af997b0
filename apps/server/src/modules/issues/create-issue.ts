import type { IssueProposal } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { assigneeAfter, isSameAssignee, nobody, recordAssignment, requireAssignment } from "./assignment.ts";
import { milestonesAt } from "./lifecycle.ts";
import { type IssueRow, insertIssue, lockGround } from "./store.ts";
import { isToDo, subjectOf, wakeAssignee } from "./wake-assignee.ts";

/** Creates an issue under the company's next number and gives it to whom it names. */
export async function createIssue(change: Change, proposal: IssueProposal): Promise<IssueRow> {
  const { caller, companyId, now } = change;
  const { company, agent } = await lockGround(change, proposal.assigneeAgentId);
  const assignee = assigneeAfter(nobody, proposal);
  const assigned = !isSameAssignee(assignee, nobody);
  if (assigned) await requireAssignment(change, nobody, assignee, agent);
  const row = await insertIssue(
    change,
    {
      companyId,
      id: newId(),
      ...proposal,
      createdByAgentId: caller.kind === "agent" ? caller.agentId : null,
      createdByUserId: caller.kind === "board" ? caller.userId : null,
      checkoutAgentId: null,
      checkoutRunId: null,
      checkoutAt: null,
      ...milestonesAt(proposal.status, { startedAt: null, completedAt: null }, now),
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
    company.issuePrefix,
  );
  const { identifier, title, status, priority } = row;
  change.record("issue.created", row.id, { identifier, title, status, priority });
  if (assigned) {
    const causeId = recordAssignment(change, row, agent);
    const reason = `${subjectOf(row)} is yours to do`;
    if (isToDo(row)) await wakeAssignee(change, row, { source: "assignment", reason, causeId });
  }
  return row;
}
