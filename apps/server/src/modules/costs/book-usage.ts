import type { Change, EntryPlace } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { budgetSignal } from "../../platform/signals.ts";
import { isNear } from "../budgets/index.ts";
import { daySums } from "./day-sums.ts";
import { type Priceable, type Priced, type Prices, priced } from "./price.ts";
import { addSpend, type Standing } from "./spend-store.ts";
import { addToDays, type CostEventRow, insertCostEvents } from "./store.ts";

/** Something that an agent used. */
export interface Usage extends Priceable {
  readonly runId: string | null;
  readonly issueId: string | null;
  /** The moment it arrived, where nothing is said. */
  readonly occurredAt?: Date;
}

/** Who used it. */
export interface Spender {
  readonly id: string;
  readonly name: string;
}

/** What was booked, and where agent and company stand with it. */
export interface Booked extends Pick<Standing, "agent" | "company"> {
  readonly events: readonly CostEventRow[];
  readonly micros: number;
}

/**
 * Books what an agent used: the one door to costs. Event, the sums of the day, what agent and company have spent this
 * month and the entry of the log commit together. All of it counts in the UTC day and month in which it arrives, by the
 * database's clock. Who judges budgets is told where much of one is spent.
 */
export async function bookUsage(
  change: Change,
  prices: Prices,
  { agent, used, place }: { agent: Spender; used: readonly Usage[]; place?: EntryPlace },
): Promise<Booked> {
  const costs = used.map((usage) => priced(prices, usage));
  const micros = costs.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const { at, ...standing } = await addSpend(change, agent.id, micros);
  const events = used.map((usage, n) => rowOf({ change, agent, at }, usage, costs[n]));
  await insertCostEvents(change, events);
  await addToDays(change, daySums(events));
  for (const event of events) record(change, agent, event, place);
  if (isNear(standing.agent) || isNear(standing.company)) change.announce(budgetSignal);
  return { events, micros, ...standing };
}

function rowOf(
  { change, agent, at }: { change: Change; agent: Spender; at: Date },
  usage: Usage,
  cost: Priced | undefined,
): CostEventRow {
  if (cost === undefined) throw new Error("something used has no price");
  const { runId, issueId, provider, model, inputTokens, cachedInputTokens, outputTokens } = usage;
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
    ...cost,
    occurredAt: usage.occurredAt ?? at,
    createdAt: at,
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
