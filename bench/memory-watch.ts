import { setTimeout as pause } from "node:timers/promises";
import { residentBytes } from "./memory.ts";

const lookEveryMs = 100;

/** Watches what processes occupy. */
export interface MemoryWatch {
  /** The most that each has occupied up to now; null where the system does not say. */
  stop(): Promise<(number | null)[]>;
}

/** Begins to watch these processes. */
export function watchMemory(pids: readonly number[]): MemoryWatch {
  const over = new AbortController();
  const most: (number | null)[] = pids.map(() => null);
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const [index, pid] of pids.entries()) {
        const bytes = await residentBytes(pid);
        if (bytes !== null) most[index] = Math.max(most[index] ?? 0, bytes);
      }
      await pause(lookEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await watching;
      return most;
    },
  };
}
