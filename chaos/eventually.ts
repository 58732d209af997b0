import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 100;

/** Looks until there is something to see; throws when there is nothing for too long. */
export async function eventually<T>(what: string, look: () => Promise<T | null>, patienceMs = 120_000): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > until) throw new Error(`waited in vain for ${what}`);
    await pause(lookEveryMs);
  }
}
