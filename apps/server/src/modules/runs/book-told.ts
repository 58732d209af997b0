import type { Change } from "../../platform/change.ts";
import { type Booked, bookUsage, type Prices } from "../costs/index.ts";
import type { LockedRun } from "./store.ts";
import type { ToldUsage } from "./told-usage.ts";

/** Books what a run told it used, for its agent, its issue and itself; null where that is nothing. */
export async function bookTold(
  change: Change,
  prices: Prices,
  { run, agent }: LockedRun,
  told: readonly ToldUsage[],
): Promise<Booked | null> {
  if (told.length === 0) return null;
  const used = told.map((usage) => ({ ...usage, runId: run.id, issueId: run.issueId }));
  return bookUsage(change, prices, { agent, used, place: { cause: run } });
}
