import type { CauseCode } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { nextState } from "../../platform/lifecycle.ts";
import type { Cause } from "../../platform/scope.ts";
import { raiseAttention, resolveAttention } from "../attention/index.ts";
import { agentLifecycle } from "./lifecycle.ts";
import { type AgentCourse, type AgentRow, moveLockedAgent } from "./store.ts";

/** What an agent's state after one of its runs depends on. */
export interface RunEnd {
  /** Its other runs under way. */
  readonly others: number;
  readonly code: CauseCode;
  /** What was said of the end. */
  readonly message: string;
  /** It was under way: of what ends in the queue nothing follows for the breaker. */
  readonly hasRun: boolean;
  /** Nothing of it can work before its configuration is mended. */
  readonly failsAgent: boolean;
  readonly cause: Cause;
}

/** So many runs in a row that fail alike trip the breaker. */
const mostFailures = 3;
/** What an agent or its configuration brings about; all else says nothing of either. */
const ownFailures: readonly CauseCode[] = [
  "agent_error",
  "adapter_missing",
  "adapter_misconfigured",
  "auth_failed",
  "timed_out",
  "output_limit",
];

/**
 * Brings a locked agent into the state that follows from the end of one of its runs: idle after the last, in error when
 * its configuration cannot work, out of error after a good run, paused when run after run fails alike. Paused and
 * terminated agents stay as they are. Answers true where it was paused.
 */
export async function agentAfterRun(
  change: Change,
  agent: Pick<AgentRow, "id" | "name"> & AgentCourse,
  end: RunEnd,
): Promise<boolean> {
  const after = courseAfter(agent, end);
  if (isSame(agent, after)) return false;
  await moveLockedAgent(change, agent, after);
  if (after.status === agent.status) return false;
  const place = { cause: end.cause };
  const { id: entityId, name } = agent;
  const about = { entityType: "agent", entityId } as const;
  if (agent.status === "error" && end.code === "ok") {
    await resolveAttention(change, { entityIds: [entityId], kinds: ["agent_error"] }, place);
  }
  if (after.status === "error") {
    change.record("agent.failed", entityId, { name, cause: end.code }, place);
    const message = `${name} cannot work: ${end.message} Mend its configuration, then clear its error.`;
    await raiseAttention(change, { ...about, kind: "agent_error", message }, place);
  }
  if (after.status !== "paused") return false;
  change.record("agent.paused", entityId, { name, reason: "breaker" }, place);
  const message = `${name} is paused: its last ${mostFailures} runs failed alike. ${end.message} Mend that, then resume it.`;
  await raiseAttention(change, { ...about, kind: "breaker", message }, place);
  return true;
}

/** The course of an agent after the end of one of its runs. Pure. */
export function courseAfter({ status, pauseReason, ...before }: AgentCourse, end: RunEnd): AgentCourse {
  const failures = failuresAfter(before, end);
  const tripped = failures.failureCount >= mostFailures ? nextState(agentLifecycle, "pause", status) : undefined;
  if (tripped !== undefined) return { status: tripped, pauseReason: "breaker", ...failures };
  return { status: statusAfter(status, end), pauseReason, ...failures };
}

type Failures = Pick<AgentCourse, "failureCode" | "failureCount">;

function failuresAfter(before: Failures, { code, hasRun }: RunEnd): Failures {
  if (code === "ok") return { failureCode: null, failureCount: 0 };
  if (!hasRun || !ownFailures.includes(code)) return before;
  return { failureCode: code, failureCount: before.failureCode === code ? before.failureCount + 1 : 1 };
}

function statusAfter(status: AgentRow["status"], { failsAgent, code, others }: RunEnd): AgentRow["status"] {
  const after = (move: keyof typeof agentLifecycle.moves) => nextState(agentLifecycle, move, status) ?? status;
  if (failsAgent) return after("fail");
  if (status === "error" && code === "ok") return after(others === 0 ? "recover" : "recover-at-work");
  return others === 0 ? after("rest") : status;
}

const isSame = (one: AgentCourse, other: AgentCourse): boolean =>
  one.status === other.status &&
  one.pauseReason === other.pauseReason &&
  one.failureCode === other.failureCode &&
  one.failureCount === other.failureCount;
