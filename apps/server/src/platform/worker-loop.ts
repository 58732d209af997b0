import type { Log } from "./log.ts";

/** Work that comes round again and again on every server; rows decide who does it, not this loop. */
export interface WorkerLoop {
  /** Brings the next round forward; while one is under way, another follows it at once. */
  wake(): void;
  /** Resolves when the round under way has ended; no other begins. */
  stop(): Promise<void>;
}

/** How a loop goes round. `round` is tried again after `everyMs` whatever happened in it. */
export interface WorkerLoopOptions {
  readonly name: string;
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  readonly log: Log;
}

/** Starts a loop; its first round begins at once. A failing round is logged, never fatal. */
export function startWorkerLoop({ name, everyMs, round, log }: WorkerLoopOptions): WorkerLoop {
  let stopped = false;
  let woken = false;
  let rouse: () => void = () => undefined;

  async function turn(): Promise<void> {
    while (!stopped) {
      woken = false;
      await round().catch((error: unknown) => log.error({ err: error, loop: name }, "a round of a loop failed"));
      if (!woken && !stopped) await pause();
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const turning = turn();
  return {
    wake() {
      woken = true;
      rouse();
    },
    stop() {
      stopped = true;
      rouse();
      return turning;
    },
  };
}
