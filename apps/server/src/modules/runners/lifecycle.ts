import { runnerStatuses } from "@roster/contract";
import { lifecycle } from "../../platform/lifecycle.ts";

/** States of a runner and the moves between them. `removed` is final. */
export const runnerLifecycle = lifecycle({
  entity: "runner",
  states: runnerStatuses,
  moves: {
    drain: { from: ["active"], to: "draining" },
    stop: { from: ["active", "draining"], to: "stopped" },
    resume: { from: ["draining", "stopped"], to: "active" },
    remove: { from: ["active", "draining", "stopped"], to: "removed" },
  },
});
