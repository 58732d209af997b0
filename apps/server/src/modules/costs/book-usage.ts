import type { Change, EntryPlace } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { addSpend } from "../budgets/index.ts";
import { daySums } from "./day-sums.ts";
import { type Priceable, type Prices, priced } from "./price.ts";
import { addToDays, type CostEventRow, insertCostEvents } from "./store.ts";

/** Something that an agent used. */
export interface Usage extends Priceable {
  readonly runId: string | null;
  readonly issueId: string | null;
  readonly occurredAt: Date;
}

/** Who used it. */
export interface Spender {
  readonly id: string;
  readonly name: string;
}

/**
 * Books what an agent used: the one door to costs. Event, the sums of the day, what agent and company have spent this
 * month and the entry of the log commit together. All of it counts in the UTC day and month in which it arrives.
 */
export async function bookUsage(
  change: Change,
  prices: Prices,
  { agent, used, place }: { agent: Spender; used: readonly Usage[]; place?: EntryPlace },
): Promise<CostEventRow[]> {
  if (used.length === 0) return [];
  const rows = used.map((usage) => rowOf(change, prices, agent, usage));
  await insertCostEvents(change, rows);
  await addToDays(change, daySums(rows));
  await addSpend(change, agent.id, sumOf(rows));
  for (const row of rows) record(change, agent, row, place);
  return rows;
}

const sumOf = (rows: readonly CostEventRow[]): number => rows.reduce((sum, { costMicros }) => sum + costMicros, 0);

function rowOf(change: Change, prices: Prices, agent: Spender, usage: Usage): CostEventRow {
  const { runId, issueId, provider, model, inputTokens, cachedInputTokens, outputTokens, occurredAt } = usage;
  return {
    companyId: change.companyId,
    id: newId(),
    agentId: agent.id,
    runId,
    issueId,
    provider,
    model,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    ...priced(prices, usage),
    occurredAt,
    createdAt: change.now,
  };
}

function record(change: Change, agent: Spender, row: CostEventRow, place: EntryPlace = {}): void {
  const { runId, provider, model, costMicros, priced: origin } = row;
  const details = { agentId: agent.id, agentName: agent.name, runId, provider, model, costMicros, priced: origin };
  change.record("cost.booked", row.id, { ...details, cost: dollars(costMicros) }, place);
}

/** Micro-dollars as people write them: at least cents, and no zeros after them. Pure. */
function dollars(micros: number): string {
  const [whole = "", parts = ""] = (micros / 1_000_000).toFixed(6).split(".");
  return `$${whole}.${parts.replace(/0{1,4}$/, "")}`;
}
