import type { Change } from "../../platform/change.ts";
import { nextState } from "../../platform/lifecycle.ts";
import { issueLifecycle } from "./lifecycle.ts";
import { lockCheckedOut, updateIssue } from "./store.ts";

/** Ends the checkouts that a run has: what was in progress is to do again, by the same assignee. */
export async function releaseCheckouts(change: Change, runId: string): Promise<void> {
  for (const row of await lockCheckedOut(change, runId)) {
    const { id, identifier, title, checkoutAgentId, status: from } = row;
    const to = nextState(issueLifecycle, "release", from) ?? from;
    await updateIssue(change, row, {
      checkoutAgentId: null,
      checkoutRunId: null,
      checkoutAt: null,
      ...(to !== from && { status: to }),
    });
    change.record("issue.released", id, { identifier, title, agentId: checkoutAgentId ?? "", from, to });
  }
}
