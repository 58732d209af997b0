import { runStatuses } from "@roster/contract";
import { lifecycle } from "../../platform/lifecycle.ts";

/** States of a run and the moves between them. Five are final: a run has exactly one of them in the end. */
export const runLifecycle = lifecycle({
  entity: "run",
  states: runStatuses,
  moves: {
    claim: { from: ["queued"], to: "claimed" },
    requeue: { from: ["claimed"], to: "queued" },
    start: { from: ["claimed"], to: "running" },
    succeed: { from: ["claimed", "running"], to: "succeeded" },
    fail: { from: ["claimed", "running"], to: "failed" },
    "time-out": { from: ["queued", "claimed", "running"], to: "timed_out" },
    cancel: { from: ["queued", "claimed", "running"], to: "cancelled" },
    lose: { from: ["claimed", "running"], to: "lost" },
  },
});
