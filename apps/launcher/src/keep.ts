import { setTimeout as pause } from "node:timers/promises";
import { nextDelayMs } from "./backoff.ts";
import { CannotStartError, type Ending, type Part, type Running } from "./part.ts";

/** A part that is started again whenever it ends, until it is told to stop or starting it does not help. */
export interface Kept {
  readonly name: string;
  /** Resolves when it does its work for the first time. */
  readonly ready: Promise<void>;
  /** Resolves with the sentence for the operator when starting it again would not help. */
  readonly refused: Promise<string>;
  /** Stops it for good; it is killed when it has not ended after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Ends its process at once, if there is one. */
  kill(): void;
}

type Tell = (sentence: string) => void;

export function keep(part: Part, tell: Tell): Kept {
  const stopping = new AbortController();
  const once = marks();
  let running: Running | null = null;
  let graceMs = 0;

  const live = async (restart: boolean): Promise<Ending> => {
    try {
      running = await part.begin();
    } catch (error) {
      if (error instanceof CannotStartError) return error.ending;
      return { reason: error instanceof Error ? error.message : String(error), refusal: null };
    }
    if (stopping.signal.aborted) await running.stop(graceMs);
    void running.ready.then(() => {
      once.ready();
      if (restart && !stopping.signal.aborted) tell(`The ${part.name} runs again.`);
    });
    const ending = await running.ended;
    running = null;
    return ending;
  };

  const loop = async (): Promise<void> => {
    let delayMs = 0;
    for (let restart = false; ; restart = true) {
      const startedAt = performance.now();
      const ending = await live(restart);
      if (stopping.signal.aborted) return;
      if (ending.refusal !== null) return once.refused(ending.refusal);
      delayMs = nextDelayMs(delayMs, performance.now() - startedAt);
      tell(`The ${part.name} ended (${ending.reason}); starting it again in ${delayMs / 1000} s.`);
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  };

  const whole = loop();
  const stop = async (forMs: number): Promise<void> => {
    graceMs = forMs;
    stopping.abort();
    await running?.stop(forMs);
    await whole;
  };
  return { name: part.name, ready: once.isReady, refused: once.isRefused, stop, kill: () => running?.kill() };
}

interface Marks {
  readonly isReady: Promise<void>;
  readonly isRefused: Promise<string>;
  ready(): void;
  refused(sentence: string): void;
}

function marks(): Marks {
  let ready: () => void = () => undefined;
  let refused: (sentence: string) => void = () => undefined;
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const isRefused = new Promise<string>((resolve) => {
    refused = resolve;
  });
  return { isReady, isRefused, ready: () => ready(), refused: (sentence) => refused(sentence) };
}
