import { Refusal } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { findLease, type Speaker } from "./lease-store.ts";

/** The refusal of whoever may no longer speak for a run. */
export const staleLease = (): Refusal =>
  new Refusal("stale_lease", "This run is no longer yours: end its program and forget it.");

/** Refuses whoever has no lease on the run under this number. */
export async function requireLease(scope: Scope, { runId, runnerId, epoch }: Speaker) {
  const lease = await findLease(scope, runId);
  if (lease === null || lease.runnerId !== runnerId || lease.epoch !== epoch) throw staleLease();
  return lease;
}
