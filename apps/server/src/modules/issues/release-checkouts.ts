import type { Change } from "../../platform/change.ts";
import { nextState } from "../../platform/lifecycle.ts";
import type { Cause } from "../../platform/scope.ts";
import { issueLifecycle } from "./lifecycle.ts";
import { lockCheckedOut, updateIssue } from "./store.ts";

/** Ends the checkouts of a run that is over: what was still in progress is to do again, by the same assignee. */
export async function releaseCheckouts(change: Change, runId: string, cause: Cause): Promise<void> {
  for (const row of await lockCheckedOut(change, runId)) {
    const { id, identifier, title, checkoutAgentId, status: from } = row;
    const to = nextState(issueLifecycle, "release", from) ?? from;
    await updateIssue(change, row, {
      checkoutAgentId: null,
      checkoutRunId: null,
      checkoutAt: null,
      ...(to !== from && { status: to }),
    });
    if (to === from) continue;
    change.record("issue.released", id, { identifier, title, agentId: checkoutAgentId ?? "", from, to }, { cause });
  }
}
