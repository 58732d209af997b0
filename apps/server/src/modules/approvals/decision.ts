import { requireVersion } from "../../platform/edit.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import { Refusal } from "../../platform/refusal.ts";
import { approvalLifecycle, finalStatuses } from "./lifecycle.ts";
import type { ApprovalRow } from "./store.ts";

/** What can be decided about an approval. */
export type Verdict = "approve" | "reject" | "request-revision" | "cancel";

/** What the caller has seen of the approval. */
export interface Seen {
  readonly ifMatch: number | null;
  readonly payloadDigest?: string | undefined;
}

/**
 * The state a verdict leads to, or null when just this was decided already. Refuses in this order: decided otherwise,
 * not possible in this state, another version than seen, another payload than seen. Pure.
 */
export function decide(approval: ApprovalRow, verdict: Verdict, seen: Seen): ApprovalRow["status"] | null {
  const { status, payloadDigest, version } = approval;
  const wanted = approvalLifecycle.moves[verdict].to;
  if (status === wanted) return null;
  if (finalStatuses.includes(status)) {
    throw new Refusal("already_decided", `This approval was ${status} already; a decision is made once.`, {
      details: [{ path: "status", message: `is ${status}` }],
    });
  }
  const next = nextState(approvalLifecycle, verdict, status);
  if (next === undefined) throw wrongState(approvalLifecycle, verdict, status);
  requireVersion(version, seen.ifMatch);
  if (seen.payloadDigest !== undefined && seen.payloadDigest !== payloadDigest) {
    throw new Refusal("payload_changed", "The proposal has changed since you read it. Read it again, then decide.", {
      details: [{ path: "payloadDigest", message: `the present payload has the digest ${payloadDigest}` }],
    });
  }
  return next;
}
