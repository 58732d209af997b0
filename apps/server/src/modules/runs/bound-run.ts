import type { Change } from "../../platform/change.ts";
import { queueSignal } from "../../platform/signals.ts";
import { raiseAttention, resolveAttention } from "../attention/index.ts";
import {
  awaitTurn,
  countOwnRoots,
  countRunsOfRoot,
  freeRun,
  hasExhausted,
  markExhausted,
  type Origin,
} from "./cause-store.ts";

/** A run that was made, or joined, for a cause. */
export interface Led {
  readonly runId: string;
  readonly agentName: string;
  readonly made: boolean;
  /** As it was joined, or made. */
  readonly exhausted: boolean;
  /** What the run goes back to. */
  readonly rootId: string;
}

/**
 * What has led to a run: something that goes on, input from outside, or an agent outside of its runs. Who adds to what
 * goes on, and who begins something by itself, takes turns.
 */
export interface Beginning {
  readonly origin: Origin;
  readonly kind: "goes_on" | "outside" | "own";
  /** In whose turn it is counted. */
  readonly turn: string | null;
}

/** The beginning that a wake in this change goes back to. Pure. */
export function beginningOf({ caller, cause }: Change, origin: Origin, isOutside: boolean): Beginning {
  if (isOutside) return { origin, kind: "outside", turn: null };
  if (cause.rootId !== null) return { origin, kind: "goes_on", turn: origin.rootId };
  return caller.kind === "agent"
    ? { origin, kind: "own", turn: caller.agentId }
    : { origin, kind: "outside", turn: null };
}

/**
 * Bounds what one cause leads to: a run beyond its bounds waits, and there is one call for attention for all that goes
 * back to the same beginning. Where a cause within its bounds joins a run that waits so, the run goes on for that one.
 * The turn must have been taken.
 */
export async function boundRun(change: Change, led: Led, beginning: Beginning): Promise<void> {
  if (!led.made && !led.exhausted) return;
  const isOver = (led.made && led.exhausted) || (await isExhausted(change, led.runId, beginning));
  if (led.made && !isOver) change.announce(queueSignal);
  if (led.made && isOver) await holdBack(change, led, beginning);
  if (!led.made && !isOver) await letGoOn(change, led, beginning.origin);
}

/** True where a cause may lead to no further run. */
export const isBeyond = ({ cause, bounds }: Change, hops: number): boolean =>
  cause.isSpent === true || hops > bounds.hops;

async function isExhausted(change: Change, runId: string, { origin, kind, turn }: Beginning): Promise<boolean> {
  const { bounds } = change;
  if (isBeyond(change, origin.hops)) return true;
  if (turn === null) return false;
  if (kind === "own") return (await countOwnRoots(change, turn, bounds.roots)) >= bounds.roots;
  return (await countRunsOfRoot(change, { rootId: origin.rootId, besides: runId }, bounds.runs)) >= bounds.runs;
}

async function holdBack(change: Change, { runId, agentName, exhausted }: Led, { origin }: Beginning): Promise<void> {
  if (!exhausted) await markExhausted(change, runId);
  const { hops, runs, roots } = change.bounds;
  const limits = `${runs} runs, ${hops} wakes in a row, or ${roots} beginnings of one agent in an hour`;
  const message = `${agentName} waits: what began this has led to as much as it may (${limits}). Release its run, or cancel it.`;
  const about = { kind: "cause_exhausted", entityType: "entry", entityId: origin.rootId } as const;
  await raiseAttention(change, { ...about, message }, { cause: origin });
}

/** Lets a run that was held back go on as something that begins anew. */
export async function letGoOn(change: Change, { runId, rootId }: Pick<Led, "runId" | "rootId">, origin: Origin) {
  await freeRun(change, runId, origin);
  await settleRoot(change, rootId);
  change.announce(queueSignal);
}

/** Takes the call for attention back once nothing waits any more that goes back to this beginning. */
export async function settleRoot(change: Change, rootId: string): Promise<void> {
  await awaitTurn(change, rootId);
  if (await hasExhausted(change, rootId)) return;
  await resolveAttention(change, { entityIds: [rootId], kinds: ["cause_exhausted"] });
}
