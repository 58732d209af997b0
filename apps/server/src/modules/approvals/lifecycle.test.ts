import { approvalStatuses } from "@roster/contract";
import { expect, test } from "vitest";
import { nextState } from "../../platform/lifecycle.ts";
import type { Refusal } from "../../platform/refusal.ts";
import { decide, type Seen, type Verdict } from "./decision.ts";
import { approvalLifecycle } from "./lifecycle.ts";
import type { ApprovalRow } from "./store.ts";

test.each([
  ["approve", { pending: "approved" }],
  ["reject", { pending: "rejected", revision_requested: "rejected" }],
  ["request-revision", { pending: "revision_requested" }],
  ["resubmit", { revision_requested: "pending" }],
  ["cancel", { pending: "cancelled", revision_requested: "cancelled" }],
] as const)("%s leads just where the table says", (move, expected) => {
  const reached = approvalStatuses.flatMap((state) => {
    const next = nextState(approvalLifecycle, move, state);
    return next === undefined ? [] : [[state, next]];
  });
  expect(Object.fromEntries(reached)).toEqual(expected);
});

const approvalIn = (status: ApprovalRow["status"]): ApprovalRow =>
  ({ status, version: 3, payloadDigest: "present" }) as ApprovalRow;

function outcomeOf(status: ApprovalRow["status"], verdict: Verdict, seen: Seen): string {
  try {
    return decide(approvalIn(status), verdict, seen) ?? "as it is";
  } catch (error) {
    return (error as Refusal).code;
  }
}

const stale = { ifMatch: 2, payloadDigest: "earlier" };
const otherPayload = { ifMatch: 3, payloadDigest: "earlier" };
const seen = { ifMatch: 3, payloadDigest: "present" };

test.each([
  ["approved", "approve", stale, "as it is"],
  ["rejected", "reject", stale, "as it is"],
  ["revision_requested", "request-revision", stale, "as it is"],
  ["cancelled", "cancel", stale, "as it is"],
  ["approved", "reject", stale, "already_decided"],
  ["rejected", "approve", stale, "already_decided"],
  ["cancelled", "request-revision", stale, "already_decided"],
  ["approved", "cancel", stale, "already_decided"],
  ["revision_requested", "approve", stale, "wrong_state"],
  ["pending", "approve", stale, "stale_revision"],
  ["pending", "approve", otherPayload, "payload_changed"],
  ["pending", "approve", seen, "approved"],
  ["pending", "reject", { ifMatch: null }, "rejected"],
  ["revision_requested", "cancel", { ifMatch: null }, "cancelled"],
] as const)("P3: of what is %s, %s with what was seen %j is looked at in the documented order: %s", (...row) => {
  const [status, verdict, whatWasSeen, expected] = row;
  expect(outcomeOf(status, verdict, whatWasSeen)).toBe(expected);
});
