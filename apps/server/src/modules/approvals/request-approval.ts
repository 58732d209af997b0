import type { JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { digestOf } from "../../platform/digest.ts";
import { newId } from "../../platform/ids.ts";
import { type ApprovalRow, insertApproval } from "./store.ts";

/** A question to the board. */
export interface Question {
  readonly type: ApprovalRow["type"];
  readonly subject: string;
  readonly payload: JsonObject;
  readonly agentId: string | null;
  /** Issues of this company that it belongs to. */
  readonly issues: readonly { readonly id: string; readonly identifier: string }[];
}

/** Asks the board. The requester is the caller. */
export async function requestApproval(change: Change, { issues, ...question }: Question): Promise<ApprovalRow> {
  const { caller, companyId, now } = change;
  const approval: ApprovalRow = {
    ...question,
    companyId,
    id: newId(),
    status: "pending",
    payloadVersion: 1,
    payloadDigest: digestOf(question.payload),
    requestedByAgentId: caller.kind === "agent" ? caller.agentId : null,
    requestedByUserId: caller.kind === "board" ? caller.userId : null,
    decisionNote: null,
    decidedByUserId: null,
    decidedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  const issueIds = issues.map(({ id }) => id);
  await insertApproval(change, approval, issueIds);
  const { type, subject, payloadVersion } = approval;
  change.record("approval.requested", approval.id, { type, subject, payloadVersion, note: null });
  for (const { id: issueId, identifier } of issues) {
    change.record("approval.linked", approval.id, { subject, issueId, identifier });
  }
  return approval;
}
