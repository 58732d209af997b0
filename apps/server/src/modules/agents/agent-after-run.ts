import type { CauseCode } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { nextState } from "../../platform/lifecycle.ts";
import type { Cause } from "../../platform/scope.ts";
import { agentLifecycle } from "./lifecycle.ts";
import { type AgentRow, moveIdleAgent } from "./store.ts";

/** What an agent's state after one of its runs depends on. */
export interface RunEnd {
  /** Its other runs under way. */
  readonly others: number;
  readonly code: CauseCode;
  /** Nothing of it can work before its configuration is mended. */
  readonly failsAgent: boolean;
  readonly cause: Cause;
}

/**
 * Brings a locked agent into the state that follows from the end of one of its runs: idle after the last, in error when
 * its configuration cannot work, out of error after a good run. Paused and terminated agents stay as they are.
 */
export async function agentAfterRun(
  change: Change,
  agent: Pick<AgentRow, "id" | "name" | "status">,
  end: RunEnd,
): Promise<void> {
  const move = moveAfter(agent.status, end);
  const status = move === null ? undefined : nextState(agentLifecycle, move, agent.status);
  if (status === undefined || status === agent.status) return;
  await moveIdleAgent(change, agent, status);
  if (move === "fail")
    change.record("agent.failed", agent.id, { name: agent.name, cause: end.code }, { cause: end.cause });
}

function moveAfter(
  status: AgentRow["status"],
  { others, code, failsAgent }: RunEnd,
): "fail" | "recover" | "rest" | null {
  if (failsAgent) return "fail";
  if (status === "error" && code === "ok") return "recover";
  return status === "running" && others === 0 ? "rest" : null;
}
