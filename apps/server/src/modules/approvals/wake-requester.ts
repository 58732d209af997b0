import type { JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { recordWake } from "../runs/index.ts";
import { type ApprovalRow, linkedIssueIds } from "./store.ts";

/** What happened to an approval that its requester should know. */
export interface News {
  readonly causeId: string;
  readonly source: "approval" | "comment" | "mention";
  readonly reason: string;
  readonly payload?: JsonObject;
}

/** Wakes the agent that asked, with the approval and the issue it was about. People see for themselves. */
export async function wakeRequester(change: Change, approval: ApprovalRow, news: News): Promise<void> {
  if (approval.requestedByAgentId !== null)
    await wakeForApproval(change, approval, [approval.requestedByAgentId], news);
}

/** Wakes agents with an approval and the issue it was about. */
export async function wakeForApproval(
  change: Change,
  approval: ApprovalRow,
  agentIds: readonly string[],
  news: News,
): Promise<void> {
  if (agentIds.length === 0) return;
  const source = approval.payload["sourceIssueId"];
  const [first = null] = typeof source === "string" ? [source] : await linkedIssueIds(change, approval.id, 1);
  for (const agentId of agentIds) {
    await recordWake(change, { ...news, agentId, approvalId: approval.id, issueId: first });
  }
}
