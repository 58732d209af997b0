import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { StoredAnswer } from "./table.ts";

const beatMs = 15_000;
const retryMs = 1000;

/** True for a request that takes an event stream. */
export const wantsEvents = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  (headers.accept ?? "").split(",").some((type) => /^\s*text\/event-stream\s*(;|$)/i.test(type));

/** What an event stream is made of. */
export interface EventSource<T> {
  readonly items: AsyncIterable<T>;
  /** The member that numbers the items. */
  readonly numbered: string;
  readonly gone: AbortSignal;
  /** Called with what ended it before its time. */
  readonly failed: (error: unknown) => void;
  /** Silence after which a comment is sent; for tests. */
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
 * be asked for again, from after the last item that arrived.
 */
export async function* eventText<T>(source: EventSource<T>): AsyncGenerator<string> {
  yield `retry: ${retryMs}\n\n`;
  const iterator = source.items[Symbol.asyncIterator]();
  try {
    yield* eventsOf(iterator, source);
    if (!source.gone.aborted) yield "event: end\ndata: {}\n\n";
  } catch (error) {
    // The headers are gone: it cannot become a refusal any more.
    if (!source.gone.aborted) source.failed(error);
  } finally {
    // Not waited for: it may be in the middle of something that does not end.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function* eventsOf<T>(iterator: AsyncIterator<T>, source: EventSource<T>): AsyncGenerator<string> {
  let upcoming = iterator.next();
  for (;;) {
    const step = await stepOrBeat(upcoming, source);
    if (step === "beat") {
      yield ":\n\n";
      continue;
    }
    if (step.done) return;
    const number = (step.value as Readonly<Record<string, unknown>>)[source.numbered];
    yield `id: ${String(number)}\ndata: ${JSON.stringify(step.value)}\n\n`;
    upcoming = iterator.next();
  }
}

type Step<T> = IteratorResult<T> | "beat";

/** The next item; the end once nobody listens; a beat where neither comes for a while. */
function stepOrBeat<T>(upcoming: Promise<IteratorResult<T>>, source: EventSource<T>): Promise<Step<T>> {
  const { gone } = source;
  const settled = new AbortController();
  const other = new Promise<Step<T>>((resolve) => {
    const end = (): void => resolve({ done: true, value: undefined });
    const timer = setTimeout(resolve, source.beatMs ?? beatMs, "beat");
    if (gone.aborted) end();
    gone.addEventListener("abort", end, { signal: settled.signal });
    settled.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  return Promise.race([upcoming, other]).finally(() => settled.abort());
}
