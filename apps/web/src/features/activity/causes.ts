import type { ActivityEntry } from "@roster/client";

/** What of an entry its place among causes depends on. */
export type Caused = Pick<ActivityEntry, "seq" | "cause">;

/** An entry in the picture of causes. */
export interface Placed<T> {
  readonly entry: T;
  /** Steps from what began it. */
  readonly depth: number;
  /** Row of what caused it; null for what began it. */
  readonly parentRow: number | null;
  /** It is the entry that was asked for, or led to it. */
  readonly isOnPath: boolean;
}

/**
 * Entries of one beginning as a tree that is read from above: each below what caused it, in the order in which they
 * happened. An entry whose cause is not among them stands at the top. Pure.
 */
export function placeCauses<T extends Caused>(entries: readonly T[], chosen: number): readonly Placed<T>[] {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  // What a change does besides its first entry has no cause but what began it.
  const causeOf = ({ seq, cause }: T): T | undefined => {
    const above = cause.seq ?? cause.rootSeq;
    return above === seq ? undefined : bySeq.get(above);
  };
  const effects = new Map<T | undefined, T[]>();
  for (const entry of [...bySeq.values()].sort((one, other) => one.seq - other.seq)) {
    const cause = causeOf(entry);
    effects.set(cause, [...(effects.get(cause) ?? []), entry]);
  }
  const path = new Set<T>();
  for (let at = bySeq.get(chosen); at !== undefined && !path.has(at); at = causeOf(at)) path.add(at);
  const placed: Placed<T>[] = [];
  const waiting = (effects.get(undefined) ?? []).map((entry) => ({
    entry,
    depth: 0,
    parentRow: null as number | null,
  }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const row = placed.push({ ...next, isOnPath: path.has(next.entry) }) - 1;
    const below = effects.get(next.entry) ?? [];
    const depth = next.depth + 1;
    waiting.unshift(...below.map((entry) => ({ entry, depth, parentRow: row })));
  }
  return placed;
}
