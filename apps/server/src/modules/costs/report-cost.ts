import type { ReportedCost } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { type AgentRow, getAgent } from "../agents/index.ts";
import { type Booked, bookUsage } from "./book-usage.ts";
import type { Prices } from "./price.ts";
import type { CostEventRow } from "./store.ts";

/** What booking a report needs of the server, and of the modules above this one. */
export interface ReportNeeds {
  readonly prices: Prices;
  /** The agent of a run and what it is about; throws Missing. */
  readonly runOf: (scope: Scope, runId: string, path: string) => Promise<{ agentId: string; issueId: string | null }>;
  /** Locks a run, if it is under way; answers what draws on what it holds. */
  readonly meterOf: (change: Change, runId: string) => Promise<((booked: Booked) => Promise<void>) | null>;
  /** Throws Missing where the company has no such issue. */
  readonly requireIssue: (scope: Scope, issueId: string, path: string) => Promise<unknown>;
}

/** Books a cost that somebody reports: an agent its own, the board anyone's. A run under way pays it from its hold. */
export async function reportCost(change: Change, needs: ReportNeeds, body: ReportedCost): Promise<CostEventRow> {
  const agent = await getAgent(change, body.agentId, "agentId");
  requireOwn(change, agent);
  const { runId, issueId } = await about(change, needs, body, agent);
  const { provider, model, inputTokens, cachedInputTokens, outputTokens } = body;
  const tokens = { inputTokens, cachedInputTokens, outputTokens };
  const usage = { provider, model, ...tokens, runId, issueId, costMicros: microsOf(body) };
  const when = body.occurredAt === undefined ? {} : { occurredAt: new Date(body.occurredAt) };
  const draw = runId === null ? null : await needs.meterOf(change, runId);
  const booked = await bookUsage(change, needs.prices, { agent, used: [{ ...usage, ...when }] });
  await draw?.(booked);
  const [row] = booked.events;
  if (row === undefined) throw new Error("a cost was not booked");
  return row;
}

function requireOwn({ caller }: Change, agent: AgentRow): void {
  if (caller.kind !== "agent" || caller.agentId === agent.id) return;
  throw new Refusal("forbidden", "An agent reports only what it used itself.", {
    details: [{ path: "agentId", message: "is another agent" }],
  });
}

const microsOf = ({ costCents, costMicros }: ReportedCost): number | null =>
  costMicros ?? (costCents === undefined ? null : costCents * 10_000);

/** The run and the issue it was used for; who reports from a run reports for it, unless something else is said. */
async function about(
  change: Change,
  needs: ReportNeeds,
  body: ReportedCost,
  agent: AgentRow,
): Promise<{ runId: string | null; issueId: string | null }> {
  if (body.issueId !== undefined) await needs.requireIssue(change, body.issueId, "issueId");
  const { caller } = change;
  const runId = body.runId ?? (caller.kind === "agent" ? caller.runId : undefined);
  if (runId === undefined) return { runId: null, issueId: body.issueId ?? null };
  const run = await needs.runOf(change, runId, "runId");
  if (run.agentId !== agent.id) {
    throw new Refusal("unknown_reference", `This run is not one of ${agent.name}.`, {
      details: [{ path: "runId", message: "is a run of another agent" }],
    });
  }
  return { runId, issueId: body.issueId ?? run.issueId };
}
