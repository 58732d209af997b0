import type { JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { digestOf } from "../../platform/digest.ts";
import { requireVersion } from "../../platform/edit.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import { lockWithAgent, requireRequester } from "./decide-approval.ts";
import { type EffectsByType, effectsOf } from "./effects.ts";
import { approvalLifecycle } from "./lifecycle.ts";
import { type ApprovalRow, keepPayload, updateApproval } from "./store.ts";

/** Sends a proposal back to the board, changed by a merge patch. Every earlier version stays readable. */
export async function resubmitApproval(
  change: Change,
  effects: EffectsByType,
  wish: { approvalId: string; patch: JsonObject; ifMatch: number | null },
): Promise<ApprovalRow> {
  const { approval, agent } = await lockWithAgent(change, wish.approvalId);
  requireRequester(change, approval);
  const status = nextState(approvalLifecycle, "resubmit", approval.status);
  if (status === undefined) throw wrongState(approvalLifecycle, "resubmit", approval.status);
  requireVersion(approval.version, wish.ifMatch);
  const proposal = await effectsOf(effects, approval).resubmit(change, { approval, agent, patch: wish.patch });
  await keepPayload(change, approval);
  const resubmitted = await updateApproval(change, approval, {
    ...proposal,
    status,
    payloadVersion: approval.payloadVersion + 1,
    payloadDigest: digestOf(proposal.payload),
    decisionNote: null,
    decidedByUserId: null,
    decidedAt: null,
  });
  const { type, subject, payloadVersion } = resubmitted;
  change.record("approval.resubmitted", approval.id, { type, subject, payloadVersion, note: null });
  return resubmitted;
}
