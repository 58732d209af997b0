import type { Change } from "../../platform/change.ts";
import { Missing } from "../../platform/refusal.ts";
import { getIssue } from "../issues/index.ts";
import { type ApprovalRow, deleteLink, insertLinks, isLinked, lockApproval } from "./store.ts";

/** Links an approval to an issue; twice is one link. */
export async function linkIssue(
  change: Change,
  issueId: string,
  approvalId: string,
): Promise<{ created: boolean; approval: ApprovalRow }> {
  const issue = await getIssue(change, issueId);
  // Locked, so that of two who link at once the second sees the first one's link.
  const approval = await lockApproval(change, approvalId, "approvalId");
  if (await isLinked(change, approval.id, issue.id)) return { created: false, approval };
  await insertLinks(change, approval.id, [issue.id]);
  const { identifier } = issue;
  change.record("approval.linked", approval.id, { subject: approval.subject, issueId, identifier });
  return { created: true, approval };
}

/** Removes the link between an approval and an issue. */
export async function unlinkIssue(change: Change, issueId: string, approvalId: string): Promise<void> {
  const issue = await getIssue(change, issueId);
  const approval = await lockApproval(change, approvalId);
  if (!(await isLinked(change, approval.id, issue.id))) throw new Missing("approval", approvalId);
  await deleteLink(change, approval.id, issue.id);
  const { identifier } = issue;
  change.record("approval.unlinked", approval.id, { subject: approval.subject, issueId, identifier });
}
