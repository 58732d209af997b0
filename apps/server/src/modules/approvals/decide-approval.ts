import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import { type AgentRow, lockAgent } from "../agents/index.ts";
import { decide, type Seen, type Verdict } from "./decision.ts";
import { type EffectsByType, effectsOf } from "./effects.ts";
import { type ApprovalRow, getApproval, lockApproval, updateApproval } from "./store.ts";
import { wakeRequester } from "./wake-requester.ts";

const actions = {
  approve: "approval.approved",
  reject: "approval.rejected",
  "request-revision": "approval.revision_requested",
  cancel: "approval.cancelled",
} as const;

/** A decision as the caller sends it. */
export interface Ruling {
  readonly approvalId: string;
  readonly verdict: Verdict;
  readonly note: string | null;
  readonly seen: Seen;
}

/**
 * Decides an approval: its state, its effect, its record and the wake of the requester commit together. Of several who
 * decide at once one wins; the same decision made again changes nothing.
 */
export async function decideApproval(change: Change, effects: EffectsByType, ruling: Ruling): Promise<ApprovalRow> {
  const { approval, agent } = await lockWithAgent(change, ruling.approvalId);
  if (ruling.verdict === "cancel") requireRequester(change, approval);
  const status = decide(approval, ruling.verdict, ruling.seen);
  if (status === null) return approval;
  const decided = await settle(change, approval, { ...ruling, status });
  if (status === "approved") await effectsOf(effects, approval).approve(change, decided, agent);
  if (status === "rejected" || status === "cancelled") await effectsOf(effects, approval).drop(change, decided, agent);
  return decided;
}

/** An approval with the agent it is about, both locked; agents come first everywhere. */
export async function lockWithAgent(
  change: Change,
  approvalId: string,
): Promise<{ approval: ApprovalRow; agent: AgentRow | null }> {
  const { agentId } = await getApproval(change, approvalId);
  const agent = agentId === null ? null : await lockAgent(change, agentId);
  return { approval: await lockApproval(change, approvalId), agent };
}

/** Refuses an agent that did not ask for this approval itself. */
export function requireRequester({ caller }: Change, approval: ApprovalRow): void {
  if (caller.kind !== "agent" || caller.agentId === approval.requestedByAgentId) return;
  throw new Refusal("forbidden", "Only the agent that asked for this approval, or the board, may do this.");
}

/** Writes a decision, its record and the wake that follows. */
export async function settle(
  change: Change,
  approval: ApprovalRow,
  { verdict, note, status }: { verdict: Verdict; note: string | null; status: ApprovalRow["status"] },
): Promise<ApprovalRow> {
  const { caller } = change;
  const decided = await updateApproval(change, approval, {
    status,
    decisionNote: note,
    decidedByUserId: caller.kind === "board" ? caller.userId : null,
    decidedAt: change.now,
  });
  const { type, subject, payloadVersion } = approval;
  const causeId = change.record(actions[verdict], approval.id, { type, subject, payloadVersion, note });
  if (verdict !== "cancel") {
    const payload = { status, note };
    await wakeRequester(change, decided, {
      causeId,
      source: "approval",
      reason: `The board ${said[verdict]}: ${subject}`,
      payload,
    });
  }
  return decided;
}

const said = { approve: "approved", reject: "rejected", "request-revision": "asked for a revision of" } as const;
