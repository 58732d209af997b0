import type { AgentCosts, Amounts, CostEvent, CostSummary, ModelCosts } from "@roster/contract";
import { centsOf } from "../budgets/index.ts";
import type { CostEventRow, DayRow, listAgentTotals, listModelTotals, Period } from "./store.ts";

/** A stored cost event as the API shows it. */
export const presentCostEvent = (row: CostEventRow): CostEvent => ({
  id: row.id,
  companyId: row.companyId,
  agentId: row.agentId,
  runId: row.runId,
  issueId: row.issueId,
  provider: row.provider,
  model: row.model,
  inputTokens: row.inputTokens,
  cachedInputTokens: row.cachedInputTokens,
  outputTokens: row.outputTokens,
  costMicros: row.costMicros,
  costCents: centsOf(row.costMicros),
  priced: row.priced,
  priceVersion: row.priceVersion,
  occurredAt: row.occurredAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
});

type Sums = Omit<Amounts, "costCents" | "unpricedCents">;

const presentAmounts = (sums: Sums): Amounts => ({
  inputTokens: sums.inputTokens,
  cachedInputTokens: sums.cachedInputTokens,
  outputTokens: sums.outputTokens,
  costMicros: sums.costMicros,
  costCents: centsOf(sums.costMicros),
  unpricedMicros: sums.unpricedMicros,
  unpricedCents: centsOf(sums.unpricedMicros),
  events: sums.events,
});

const nothing: Sums = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costMicros: 0,
  unpricedMicros: 0,
  events: 0,
};

const plus = (one: Sums, other: Sums): Sums => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  costMicros: one.costMicros + other.costMicros,
  unpricedMicros: one.unpricedMicros + other.unpricedMicros,
  events: one.events + other.events,
});

/** The days of a period and their sum. */
export const presentSummary = (period: Period, days: readonly DayRow[]): CostSummary => ({
  ...period,
  ...presentAmounts(days.reduce(plus, nothing)),
  days: days.map((row) => ({ day: row.day, ...presentAmounts(row) })),
});

/** What an agent cost in a period. */
export const presentAgentCosts = (row: Awaited<ReturnType<typeof listAgentTotals>>[number]): AgentCosts => ({
  agentId: row.name,
  agentName: row.agentName,
  ...presentAmounts(row),
});

/** What a model cost in a period. */
export const presentModelCosts = (row: Awaited<ReturnType<typeof listModelTotals>>[number]): ModelCosts => ({
  provider: row.provider,
  model: row.name,
  ...presentAmounts(row),
});
