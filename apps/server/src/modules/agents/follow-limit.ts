import type { Change } from "../../platform/change.ts";
import { nextState } from "../../platform/lifecycle.ts";
import { queueSignal } from "../../platform/signals.ts";
import { noteLimit } from "../budgets/index.ts";
import { agentLifecycle } from "./lifecycle.ts";
import { type AgentRow, moveAgentRow } from "./store.ts";

/** What follows for a locked agent from an edit of its budget: one that its budget paused goes on where it may again. */
export async function followLimit(change: Change, before: AgentRow, after: AgentRow): Promise<AgentRow> {
  const limits = { before: before.budgetMonthlyCents, after: after.budgetMonthlyCents };
  await noteLimit(change, after.id, limits);
  return resumeCovered(change, after);
}

/** Resumes a locked agent that its budget paused, if that is not spent any more; others stay as they are. */
export async function resumeCovered(change: Change, row: AgentRow): Promise<AgentRow> {
  const { budgetMonthlyCents, spentMicros, status, pauseReason } = row;
  const isCovered = budgetMonthlyCents === 0 || spentMicros < budgetMonthlyCents * 10_000;
  const next = nextState(agentLifecycle, "resume", status);
  if (pauseReason !== "budget" || !isCovered || next === undefined) return row;
  const resumed = await moveAgentRow(change, row, { status: next, pauseReason: null });
  change.record("agent.resumed", row.id, { name: row.name });
  change.announce(queueSignal);
  return resumed;
}
