import { agentStatuses } from "@roster/contract";
import { lifecycle } from "../../platform/lifecycle.ts";

/** States of an agent and the moves between them. `terminated` is final. */
export const agentLifecycle = lifecycle({
  entity: "agent",
  states: agentStatuses,
  moves: {
    approve: { from: ["pending_approval"], to: "idle" },
    drop: { from: ["pending_approval"], to: "terminated" },
    work: { from: ["idle"], to: "running" },
    rest: { from: ["running"], to: "idle" },
    fail: { from: ["idle", "running"], to: "error" },
    recover: { from: ["error"], to: "idle" },
    "recover-at-work": { from: ["error"], to: "running" },
    pause: { from: ["idle", "running", "error"], to: "paused" },
    resume: { from: ["paused"], to: "idle" },
    "clear-error": { from: ["error"], to: "idle" },
    "clear-error-at-work": { from: ["error"], to: "running" },
    terminate: { from: ["pending_approval", "idle", "running", "paused", "error"], to: "terminated" },
  },
});
