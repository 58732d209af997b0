import type { agentStatuses, companyStatuses, waitingReasons } from "@roster/contract";

/** What decides whether a queued run may start, as it was read at one moment. */
export interface Standing {
  readonly agentStatus: (typeof agentStatuses)[number];
  readonly companyStatus: (typeof companyStatuses)[number];
  readonly isOverBudget: boolean;
  /** A retry that waits for its time. */
  readonly isBackingOff: boolean;
  /** Runs of the agent under way, and how many may be. */
  readonly underWay: number;
  readonly mostUnderWay: number;
}

/** Why a queued run waits. */
export type WaitingReason = (typeof waitingReasons)[number];

/**
 * What a queued run waits for, the first thing that has to be cleared; `runner` when nothing hinders it but that no
 * runner has taken it yet. Every start passes through here. Pure.
 */
export function waitingFor(standing: Standing): WaitingReason {
  if (standing.companyStatus !== "active") return "company_paused";
  if (!["idle", "running", "error"].includes(standing.agentStatus)) return "agent_paused";
  if (standing.isOverBudget) return "over_budget";
  if (standing.isBackingOff) return "backoff";
  if (standing.underWay >= standing.mostUnderWay) return "concurrency";
  return "runner";
}
