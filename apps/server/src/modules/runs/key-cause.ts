import { usualBounds } from "../../platform/bounds.ts";
import type { ChangeHost } from "../../platform/change.ts";
import type { Cause, Scope } from "../../platform/scope.ts";
import { findLately } from "./cause-store.ts";

/**
 * What led to what an agent does outside of its runs: its latest run, while that is under way and for an hour after;
 * else nothing, which begins a chain. Of such beginnings an agent has so many an hour: what it does beyond belongs to
 * the last of them, and what that wakes waits. Others bring their cause with them. One statement.
 */
export async function causeOfKey({ bounds = usualBounds }: ChangeHost, scope: Scope): Promise<Cause> {
  const { caller } = scope;
  if (caller.kind !== "agent" || caller.runId !== undefined) return scope.cause;
  const { run, roots, lastRootId } = await findLately(scope, caller.agentId, bounds.roots);
  if (run !== null) return run;
  if (roots < bounds.roots || lastRootId === null) return scope.cause;
  return { causeId: lastRootId, rootId: lastRootId, hops: 0, isSpent: true };
}
