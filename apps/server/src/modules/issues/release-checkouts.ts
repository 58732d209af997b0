import type { Change } from "../../platform/change.ts";
import type { Cause } from "../../platform/scope.ts";
import { isClosed } from "./lifecycle.ts";
import { lockCheckedOut, updateIssue } from "./store.ts";

/**
 * Ends the checkouts of a run that is over. The issues stay as the run has left them: what is still in progress is
 * unfinished, and its assignee's to take up again when something wakes it. Of a closed one there is nothing to tell.
 */
export async function releaseCheckouts(change: Change, runId: string, cause: Cause): Promise<void> {
  for (const row of await lockCheckedOut(change, runId)) {
    const { id, identifier, title, checkoutAgentId, status } = row;
    await updateIssue(change, row, { checkoutAgentId: null, checkoutRunId: null, checkoutAt: null });
    if (isClosed(status)) continue;
    const details = { identifier, title, agentId: checkoutAgentId ?? "", from: status, to: status };
    change.record("issue.released", id, details, { cause });
  }
}
