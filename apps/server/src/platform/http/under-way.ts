import type { ServerResponse } from "node:http";

/** Longest that a stop waits for answers under way. */
const patienceMs = 5000;

/** The requests that are being answered. */
export interface UnderWay {
  /** A signal that aborts when nobody waits for this answer any more, or when the server stops. */
  enter(response: ServerResponse): AbortSignal;
  /** Tells those who wait that the server stops, and resolves when all have been answered, or after a few seconds. */
  finish(): Promise<void>;
}

/** Keeps count of the requests that are being answered. */
export function createUnderWay(): UnderWay {
  const open = new Set<AbortController>();
  let isStopping = false;
  let emptied: () => void = () => undefined;

  return {
    enter(response) {
      const controller = new AbortController();
      if (isStopping || response.destroyed) controller.abort();
      if (response.destroyed) return controller.signal;
      open.add(controller);
      response.once("close", () => {
        open.delete(controller);
        if (!response.writableFinished) controller.abort();
        if (open.size === 0) emptied();
      });
      return controller.signal;
    },
    finish() {
      isStopping = true;
      for (const controller of open) controller.abort();
      if (open.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, patienceMs);
        emptied = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
