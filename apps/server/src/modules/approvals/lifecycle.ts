import { approvalStatuses } from "@roster/contract";
import { lifecycle } from "../../platform/lifecycle.ts";

/** States of an approval and the moves between them. */
export const approvalLifecycle = lifecycle({
  entity: "approval",
  states: approvalStatuses,
  moves: {
    approve: { from: ["pending"], to: "approved" },
    reject: { from: ["pending", "revision_requested"], to: "rejected" },
    "request-revision": { from: ["pending"], to: "revision_requested" },
    resubmit: { from: ["revision_requested"], to: "pending" },
    cancel: { from: ["pending", "revision_requested"], to: "cancelled" },
  },
});

/** States in which an approval is decided for good. */
export const finalStatuses: readonly string[] = ["approved", "rejected", "cancelled"];
