import type { agentStatuses, companyStatuses, pauseReasons, waitingReasons } from "@roster/contract";
import { type Account, lacksOf } from "../budgets/index.ts";

/** What decides whether a queued run may start, as it was read at one moment. */
export interface Standing {
  /** No run starts in the whole deployment. */
  readonly isServiceStopped: boolean;
  readonly agentStatus: (typeof agentStatuses)[number];
  readonly pauseReason: (typeof pauseReasons)[number] | null;
  readonly companyStatus: (typeof companyStatuses)[number];
  readonly isOverBudget: boolean;
  /** Its cause has led to as much as it may. */
  readonly isExhausted: boolean;
  /** A retry that waits for its time. */
  readonly isBackingOff: boolean;
  /** Runs of the agent under way, and how many may be. */
  readonly underWay: number;
  readonly mostUnderWay: number;
  /** One of them is for the same issue. */
  readonly isIssueHeld: boolean;
}

/** Why a queued run waits. */
export type WaitingReason = (typeof waitingReasons)[number];

/**
 * What a queued run waits for, the first thing that has to be cleared; `runner` when nothing hinders it but that no
 * runner has taken it yet. Every start passes through here. Pure.
 */
export function waitingFor(standing: Standing): WaitingReason {
  if (standing.isServiceStopped) return "service_stopped";
  if (standing.companyStatus !== "active") return "company_paused";
  if (standing.agentStatus === "paused" && standing.pauseReason === "budget") return "over_budget";
  if (!["idle", "running", "error"].includes(standing.agentStatus)) return "agent_paused";
  if (standing.isOverBudget) return "over_budget";
  if (standing.isExhausted) return "cause_exhausted";
  if (standing.isBackingOff) return "backoff";
  if (standing.isIssueHeld || standing.underWay >= standing.mostUnderWay) return "concurrency";
  return "runner";
}

/**
 * True where the budget is what a run waits for. While its agent has as many runs under way as it may, what those hold
 * of it does not count: they end first. Pure.
 */
export function isOverBudget({
  account,
  underWay,
  mostUnderWay,
}: Pick<Standing, "underWay" | "mostUnderWay"> & { readonly account: Account | null }): boolean {
  return lacksOf(account).some(({ by }) => by === "spent" || underWay < mostUnderWay);
}
