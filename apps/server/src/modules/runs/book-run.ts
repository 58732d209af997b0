import type { Change } from "../../platform/change.ts";
import { bookUsage, type Prices } from "../costs/index.ts";
import type { LockedRun } from "./store.ts";
import { listUsage } from "./usage-store.ts";

/** Books what a run that ends has told it used, for its agent, its issue and itself. Answers what all of it costs. */
export async function bookRun(change: Change, prices: Prices, { run, agent }: LockedRun): Promise<number> {
  const told = await listUsage(change, run.id);
  const about = { runId: run.id, issueId: run.issueId, occurredAt: change.now };
  const used = told.map((usage) => ({ ...usage, ...about }));
  const booked = await bookUsage(change, prices, { agent, used, place: { cause: run } });
  return booked.reduce((sum, { costMicros }) => sum + costMicros, 0);
}
