import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import type { Scope } from "../../platform/scope.ts";
import { queueSignal } from "../../platform/signals.ts";
import { resolveAttention } from "../attention/index.ts";
import type { Target } from "./change-agent.ts";
import { checkHired } from "./check-anew.ts";
import { keepTimer } from "./keep-timer.ts";
import { agentLifecycle } from "./lifecycle.ts";
import { type AgentRow, lockAgent, moveAgentRow } from "./store.ts";

const actions = {
  approve: "agent.approved",
  drop: "agent.terminated",
  resume: "agent.resumed",
  terminate: "agent.terminated",
  "clear-error": "agent.error_cleared",
  "clear-error-at-work": "agent.error_cleared",
} as const;

/** Lets a paused agent work again. */
export async function resumeAgent(change: Change, target: Target): Promise<AgentRow> {
  const row = await moved(change, "resume", await lockTarget(change, target));
  change.announce(queueSignal);
  return row;
}

/** Clears the error of an agent, which may be at work again already. */
export async function clearError(
  change: Change,
  target: Target,
  { isAtWork }: { readonly isAtWork: (scope: Scope, agentId: string) => Promise<boolean> },
): Promise<AgentRow> {
  const locked = await lockTarget(change, target);
  const isAtWorkAgain = locked.status === "error" && (await isAtWork(change, locked.id));
  const move = isAtWorkAgain ? "clear-error-at-work" : "clear-error";
  const row = await moved(change, move, locked);
  change.announce(queueSignal);
  return row;
}

/** What stopping an agent needs of the modules above this one, in its transaction. */
export interface StopNeeds {
  /** Withdraws the open hire of a locked agent. */
  readonly withdrawHire: (change: Change, agentId: string) => Promise<void>;
  /** Asks for the end of its runs under way. */
  readonly endRuns: (change: Change, agentId: string, why: string) => Promise<void>;
  /** Ends all its runs, those that are queued too. */
  readonly settleRuns: (change: Change, agentId: string, why: string) => Promise<void>;
}

/** Ends an agent for good, and its runs. A hire that is still open is withdrawn with it. */
export async function terminateAgent(change: Change, target: Target, needs: StopNeeds): Promise<AgentRow> {
  const row = await lockTarget(change, target);
  const terminated = await moved(change, "terminate", row);
  if (row.status === "pending_approval") await needs.withdrawHire(change, row.id);
  else await needs.settleRuns(change, row.id, "Its agent was terminated.");
  return terminated;
}

/** Makes a locked agent whose hire was approved ready to work. */
export const activateAgent = async (change: Change, row: AgentRow): Promise<AgentRow> =>
  checkHired(change, await moved(change, "approve", row));

/** Ends a locked agent whose hire was rejected or withdrawn. */
export const dropAgent = (change: Change, row: AgentRow): Promise<AgentRow> => moved(change, "drop", row);

/** Pauses an agent: it starts no run, those under way end, and its keys only read. */
export async function pauseAgent(
  change: Change,
  target: Target,
  reason: NonNullable<AgentRow["pauseReason"]>,
  { endRuns }: Pick<StopNeeds, "endRuns">,
): Promise<AgentRow> {
  const row = await lockTarget(change, target);
  const status = requireMove("pause", row);
  const paused = await moveAgentRow(change, row, { status, pauseReason: reason });
  change.record("agent.paused", row.id, { name: row.name, reason });
  await endRuns(change, row.id, "its agent was paused");
  return paused;
}

async function lockTarget(change: Change, { agentId, ifMatch }: Target): Promise<AgentRow> {
  const row = await lockAgent(change, agentId);
  requireVersion(row.version, ifMatch);
  return row;
}

async function moved(change: Change, move: keyof typeof actions, row: AgentRow): Promise<AgentRow> {
  const status = requireMove(move, row);
  const isMended = move === "resume" || move === "clear-error" || move === "clear-error-at-work";
  const cleared = isMended ? { failureCode: null, failureCount: 0 } : {};
  const after = await moveAgentRow(change, row, { status, pauseReason: null, ...cleared });
  change.record(actions[move], row.id, { name: row.name });
  await keepTimer(change, row, after);
  if (isMended) await resolveAttention(change, { entityIds: [row.id], kinds: ["agent_error", "breaker"] });
  if (move === "terminate") await resolveAttention(change, { entityIds: [row.id] });
  return after;
}

function requireMove(move: keyof typeof agentLifecycle.moves, { status }: AgentRow): AgentRow["status"] {
  const next = nextState(agentLifecycle, move, status);
  if (next === undefined) throw wrongState(agentLifecycle, move, status);
  return next;
}
