import type { JsonObject, skipReasons } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { beginningOf, boundRun, isBeyond } from "./bound-run.ts";
import { insertSkippedWake, insertWake, type NewWake } from "./wake-store.ts";

/** Why an agent should run. `causeId` is the entry of the log that led to it; without one the wake is its own cause. */
export interface Wake {
  readonly agentId: string;
  /** What people call the agent, for the log. */
  readonly agentName?: string;
  readonly source: NewWake["source"];
  readonly reason: string;
  readonly causeId?: string;
  readonly issueId?: string | null;
  readonly approvalId?: string | null;
  readonly payload?: JsonObject;
  readonly idempotencyKey?: string | null;
  /** Priority of its issue: 0 critical to 3 low. */
  readonly priority?: number;
}

/** What came of a wake. */
export interface Woken {
  readonly runId: string | null;
  readonly coalesced: boolean;
  readonly skipped: (typeof skipReasons)[number] | null;
}

/** Of a run without an issue. */
const ordinary = 2;

/**
 * Records that an agent should run, in the transaction of what caused it: every wake of every source comes through
 * here. Pending and terminated agents get none. What an agent does itself wakes it only where it means new work:
 * otherwise it would answer itself without end.
 */
export async function recordWake(change: Change, wake: Wake): Promise<Woken> {
  const { source, reason, agentId, issueId = null, approvalId = null, payload = {} } = wake;
  const id = newId();
  const entryId = newId();
  const causeId = wake.causeId ?? entryId;
  // Timers that fire together begin chains of their own.
  const isOutside = source === "timer";
  const rootId = isOutside ? null : change.rootId;
  const cause = { causeId: wake.causeId ?? change.cause.causeId, rootId: rootId ?? entryId, hops: change.cause.hops };
  const row = { id, agentId, source, reason, issueId, approvalId, payload, causeId };
  if (isSelfCaused(change, wake)) {
    const skipped = "self_caused";
    await insertSkippedWake(change, { ...row, skipped });
    return { runId: null, coalesced: false, skipped };
  }
  const origin = { causeId: entryId, rootId: cause.rootId, hops: cause.hops + 1 };
  const run = { ...origin, priority: wake.priority ?? ordinary, exhausted: isBeyond(change, origin.hops) };
  const idempotencyKey = wake.idempotencyKey ?? null;
  const beginning = beginningOf(change, origin, isOutside);
  const led = await insertWake(change, { ...row, runId: newId(), idempotencyKey, run, turn: beginning.turn });
  if (led === null) return { runId: null, coalesced: false, skipped: null };
  const details = { name: led.agentName, source, reason, runId: led.runId, coalesced: !led.made };
  change.record("agent.woken", agentId, details, { id: entryId, cause });
  await boundRun(change, led, beginning);
  return { runId: led.runId, coalesced: !led.made, skipped: null };
}

/**
 * True where an agent would wake itself by its own words, or by anything about the issue that its run is about. To give
 * itself another issue, or to ask for another run, is new work. Pure.
 */
function isSelfCaused({ caller }: Change, { source, agentId, issueId }: Wake): boolean {
  if (caller.kind !== "agent" || caller.agentId !== agentId) return false;
  if (source === "comment" || source === "mention") return true;
  const bounded = source === "assignment" || source === "child_done" || source === "unblocked";
  return bounded && caller.run !== undefined && caller.run.issueId === (issueId ?? null);
}
