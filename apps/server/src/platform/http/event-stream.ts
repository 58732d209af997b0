import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../refusal.ts";
import { Reached } from "./handler.ts";
import type { StoredAnswer } from "./table.ts";

const beatMs = 15_000;
const retryMs = 1000;

/** True for a request that takes an event stream. */
export const wantsEvents = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  (headers.accept ?? "").split(",").some((type) => /^\s*text\/event-stream\s*(;|$)/i.test(type));

/** What an event stream is made of. */
export interface EventSource<T> {
  /** The items as they come. The signal aborts when the stream is over, whoever ended it. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<T | Reached>;
  /** The member that numbers the items. */
  readonly numbered: string;
  readonly gone: AbortSignal;
  /** Called with what ended it before its time. */
  readonly failed: (error: unknown) => void;
  /** Refuses who may no more have it: asked again at each beat. */
  readonly requireAccess: () => Promise<void>;
  /** Time from one beat to the next; for tests. */
  readonly beatMs?: number;
}

/** The answer that sends items as they come. */
export const eventsAnswer = <T>(source: EventSource<T>): StoredAnswer => ({
  status: 200,
  headers: {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  },
  body: Readable.from(eventText(source)),
});

/**
 * Items as the text of an event stream. Where no more will come, an `end` says so; a stream that ends without one is to
 * be asked for again, from after the last item that arrived: so does one whose reader may no more have it, who is told
 * why when asking again.
 */
export async function* eventText<T>(source: EventSource<T>): AsyncGenerator<string> {
  yield `retry: ${retryMs}\n\n`;
  const over = new AbortController();
  const iterator = source.follow(AbortSignal.any([source.gone, over.signal]))[Symbol.asyncIterator]();
  const pulse = pulseOf<T>(source);
  try {
    yield* eventsOf(iterator, pulse, source);
    if (!source.gone.aborted) yield "event: end\ndata: {}\n\n";
  } catch (error) {
    // The headers are gone: it cannot become a refusal any more.
    if (!source.gone.aborted && !(error instanceof Refusal)) source.failed(error);
  } finally {
    pulse.stop();
    over.abort();
    // Not waited for: it may be in the middle of something that does not end.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function* eventsOf<T>(
  iterator: AsyncIterator<T | Reached>,
  pulse: Pulse<T>,
  source: EventSource<T>,
): AsyncGenerator<string> {
  let upcoming = iterator.next();
  let isSure = true;
  for (;;) {
    const step = await Promise.race([pulse.beat(), upcoming]);
    if (step === "beat") {
      isSure = await looksAgain(source);
      pulse.again();
      yield ":\n\n";
      continue;
    }
    if (step.done) return;
    if (!isSure) await source.requireAccess();
    isSure = true;
    yield eventOf(step.value, source);
    upcoming = iterator.next();
  }
}

function eventOf<T>(item: T | Reached, { numbered }: EventSource<T>): string {
  if (item instanceof Reached) return `id: ${item.number}\n\n`;
  const number = (item as Readonly<Record<string, unknown>>)[numbered];
  return `id: ${String(number)}\ndata: ${JSON.stringify(item)}\n\n`;
}

/**
 * Throws when the reader may no more; false where that could not be found out. It waits on then: as long as the database
 * is away there is nothing to be told, and who is cut off would have to come back.
 */
async function looksAgain<T>({ requireAccess }: EventSource<T>): Promise<boolean> {
  try {
    await requireAccess();
    return true;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return false;
  }
}

type Step<T> = IteratorResult<T | Reached> | "beat";

/** What comes between the items of a stream. */
interface Pulse<T> {
  /** The next beat, which is kept for who asks late; the end once nobody listens. */
  beat(): Promise<Step<T>>;
  /** The beat has been taken: the next is another. */
  again(): void;
  stop(): void;
}

/** One timer and one listener for a whole stream: those who follow are many, and so is what they are told. */
function pulseOf<T>({ gone, beatMs: everyMs = beatMs }: EventSource<T>): Pulse<T> {
  let ring: (step: Step<T>) => void = () => undefined;
  const next = (): Promise<Step<T>> =>
    new Promise((resolve) => {
      ring = resolve;
      if (gone.aborted) end();
    });
  const end = (): void => ring({ done: true, value: undefined });
  let upcoming = next();
  const timer = setInterval(() => ring("beat"), everyMs);
  gone.addEventListener("abort", end);
  return {
    beat: () => upcoming,
    again() {
      upcoming = next();
    },
    stop() {
      clearInterval(timer);
      gone.removeEventListener("abort", end);
    },
  };
}
