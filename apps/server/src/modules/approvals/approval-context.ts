import type { Scope } from "../../platform/scope.ts";
import { getApproval, linkedIssueIds } from "./store.ts";

const mostIssues = 100;

/** What a run that an approval woke is told of it: its status now, and the issues linked to it. */
export async function approvalContext(
  scope: Scope,
  approvalId: string,
): Promise<{ status: string; linkedIssueIds: string[] }> {
  const { status } = await getApproval(scope, approvalId);
  return { status, linkedIssueIds: await linkedIssueIds(scope, approvalId, mostIssues) };
}
