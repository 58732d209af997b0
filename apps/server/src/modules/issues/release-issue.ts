import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import { nextState } from "../../platform/lifecycle.ts";
import { Refusal } from "../../platform/refusal.ts";
import { issueLifecycle } from "./lifecycle.ts";
import { type IssueRow, lockIssue, updateIssue } from "./store.ts";

/**
 * Ends a checkout. What was in progress is to do again, by the same assignee. Where nobody holds it, nothing changes.
 */
export async function releaseIssue(
  change: Change,
  target: { issueId: string; ifMatch: number | null },
): Promise<IssueRow> {
  const row = await lockIssue(change, target.issueId);
  const { identifier, title, checkoutAgentId: agentId, status: from } = row;
  if (!row.held || agentId === null) return row;
  if (change.caller.kind === "agent" && change.caller.agentId !== agentId) {
    throw new Refusal("forbidden", "An agent releases only what it holds itself.");
  }
  requireVersion(row.version, target.ifMatch);
  const to = nextState(issueLifecycle, "release", from) ?? from;
  const released = await updateIssue(change, row, {
    checkoutAgentId: null,
    checkoutRunId: null,
    checkoutAt: null,
    ...(to !== from && { status: to }),
  });
  change.record("issue.released", row.id, { identifier, title, agentId, from, to });
  return released;
}
