import type { Bounds } from "../../platform/bounds.ts";
import { type Cause, noCause } from "../../platform/scope.ts";
import type { Lately } from "./cause-store.ts";

/**
 * What led to what an agent does outside of its runs: its latest run, while that is under way and for an hour after;
 * else nothing, which begins a chain. Of such beginnings an agent has so many an hour: what it does beyond belongs to
 * the last of them, and what that wakes waits. Pure.
 */
export function causeOfKey({ run, roots, lastRootId }: Lately, bounds: Bounds): Cause {
  if (run !== null) return run;
  if (roots < bounds.roots || lastRootId === null) return noCause;
  return { causeId: lastRootId, rootId: lastRootId, hops: 0, isSpent: true };
}
