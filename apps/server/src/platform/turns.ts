/** A limit on how much of one kind this process does at once. */
export interface Turns {
  /** Does the work when its turn has come, first come, first served. Throws the signal's reason if that comes first. */
  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes a limit of `most` at once. */
export function createTurns(most: number): Turns {
  let free = most;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener("abort", giveUp);
        waiting.delete(begin);
        free -= 1;
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      if (signal.aborted) return giveUp();
      if (free > 0) return begin();
      waiting.add(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });

  return {
    async take(signal, work) {
      await turn(signal);
      try {
        return await work();
      } finally {
        free += 1;
        const [next] = waiting;
        next?.();
      }
    },
  };
}
