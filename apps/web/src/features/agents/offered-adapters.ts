import type { Adapter } from "@roster/client";

/** Those that are here and lack nothing, those that are here, those that need no program, and those that are missing. */
function rankOf({ found, install }: Adapter): number {
  if (found !== null) return found.findings.length === 0 ? 0 : 1;
  return install === null ? 2 : 3;
}

/** Adapters in the order in which they are offered: what works at once comes first. Pure. */
export function offeredAdapters(adapters: readonly Adapter[]): readonly Adapter[] {
  return adapters.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The one that is proposed: the first that works where a runner is as it is there; null where none does. Pure. */
export function proposedAdapter(adapters: readonly Adapter[]): string | null {
  return adapters.find(({ found }) => found?.findings.length === 0)?.type ?? null;
}
