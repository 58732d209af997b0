import { type IssueStatus, isClosed } from "./lifecycle.ts";

/** Who works on an issue, and in which run. */
export interface Holder {
  readonly agentId: string;
  readonly runId: string | null;
}

/**
 * How a checkout stands to one who asks for it: `free`; `own`, nothing is left to do; `adopted`, it was its own without
 * a run and belongs to its run from now on; `held` by someone else. Another run of the same agent is someone else: two
 * runs on one issue undo each other's work. Pure.
 */
export function standingOf(present: Holder | null, asking: Holder): "free" | "own" | "adopted" | "held" {
  if (present === null) return "free";
  if (present.agentId !== asking.agentId) return "held";
  if (present.runId === asking.runId || asking.runId === null) return "own";
  return present.runId === null ? "adopted" : "held";
}

/**
 * True when a checkout ends because of what its issue becomes: closed, or another's to do. A run keeps its checkout
 * until the run ends, so that nobody starts on an issue while it is still at work. Pure.
 */
export function endsWith(present: Holder, issue: { status: IssueStatus; assigneeAgentId: string | null }): boolean {
  if (present.runId !== null) return false;
  return isClosed(issue.status) || issue.assigneeAgentId !== present.agentId;
}
