import type { ToldEvent } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import type { Prices } from "../costs/index.ts";
import type { SaidEvent } from "./append-events.ts";
import { bookTold } from "./book-told.ts";
import { drawOnHold } from "./draw-on-hold.ts";
import { appendEvents, noteProgress } from "./event-store.ts";
import type { lockLease } from "./lease-store.ts";
import type { LockedRun } from "./store.ts";

/** A run under way that was locked, with its lease. */
export interface Leased {
  readonly locked: LockedRun;
  readonly lease: NonNullable<Awaited<ReturnType<typeof lockLease>>>;
}

/** Stores events of a run, books what they say was used, and draws that on what the run holds. */
export async function storeMetered(
  change: Change,
  prices: Prices,
  { locked, lease }: Leased,
  told: readonly (ToldEvent | SaidEvent)[],
): Promise<void> {
  const run = { companyId: change.companyId, runId: locked.run.id, now: change.now };
  const { after, used } = await appendEvents(change.upkeep, run, lease, told);
  const booked = await bookTold(change, prices, locked, used);
  if (booked === null) return noteProgress(change.upkeep, run, after);
  const { heldMicros, drawnMicros } = await drawOnHold(change, { locked, hold: lease }, booked);
  const costMicros = lease.costMicros + booked.micros;
  return noteProgress(change.upkeep, run, { ...after, costMicros, heldMicros, drawnMicros });
}
