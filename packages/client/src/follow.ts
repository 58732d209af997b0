import { readEvents } from "./event-reader.ts";
import { Refused } from "./refused.ts";
import { insistingOf } from "./request.ts";
import type { Asked } from "./send.ts";
import { openStream, type Stream, textOf } from "./stream.ts";
import { pause, tryAgain, waitAfter } from "./try-again.ts";
import { Unanswered } from "./unanswered.ts";

const defaultRetryMs = 1000;

/**
 * What an operation tells, as it comes, until the service says that no more will. What is refused, or cannot be reached at
 * first, is thrown; when a connection is lost later, or silent for too long, it is made again as often as it takes, and
 * goes on after the last item that arrived.
 */
export async function* follow(asked: Asked): AsyncGenerator<unknown> {
  let lastId: string | null = null;
  let retryMs = defaultRetryMs;
  let stream = await tryAgain(insistingOf(asked.options, asked.input), (withinMs) => connect(asked, lastId, withinMs));
  for (;;) {
    for await (const event of readEvents(arriving(stream))) {
      if (event.kind === "end") return;
      lastId = event.id ?? lastId;
      retryMs = event.retryMs ?? retryMs;
      if (event.data !== "") yield JSON.parse(event.data);
    }
    stream = await connectAgain(asked, lastId, retryMs);
  }
}

async function connectAgain(asked: Asked, lastId: string | null, retryMs: number): Promise<Stream> {
  const { timeoutMs, signal } = insistingOf(asked.options, asked.input);
  let error: unknown = null;
  for (let failures = 0; ; failures += 1) {
    await pause(waitAfter(error, failures, retryMs), signal);
    try {
      return await connect(asked, lastId, timeoutMs);
    } catch (failure) {
      signal?.throwIfAborted();
      if (isLasting(failure)) throw failure;
      error = failure;
    }
  }
}

const connect = (asked: Asked, lastId: string | null, withinMs: number): Promise<Stream> =>
  openStream(asked, withinMs, { accept: "text/event-stream", ...(lastId !== null && { "last-event-id": lastId }) });

/** True for what another try would meet again. */
const isLasting = (error: unknown): boolean =>
  error instanceof Refused ? error.status < 500 && error.status !== 429 : !(error instanceof Unanswered);

/** The text of a stream, as far as it arrives. */
async function* arriving(stream: Stream): AsyncGenerator<string> {
  try {
    yield* textOf(stream);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
}
