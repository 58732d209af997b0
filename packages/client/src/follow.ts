import type { Operation } from "@roster/contract";
import { readEvents } from "./event-reader.ts";
import { Refused, refusalOf } from "./refused.ts";
import { addressOf, type CallParts, type ClientOptions, requestOf } from "./request.ts";

const defaultRetryMs = 1000;

/** What is followed, where and as whom. */
interface Asked {
  readonly options: ClientOptions;
  readonly operation: Operation;
  readonly input: CallParts;
}

/**
 * What an operation tells, as it comes, until the service says that no more will. What is refused, or fails at first, is
 * thrown; when a connection is lost later it is made again, and goes on after the last item that arrived.
 */
export async function* follow(options: ClientOptions, operation: Operation, input: CallParts): AsyncGenerator<unknown> {
  const asked = { options, operation, input };
  let lastId: string | null = null;
  let retryMs = defaultRetryMs;
  let response = await connect(asked, lastId);
  for (;;) {
    for await (const event of readEvents(piecesOf(response, input.signal))) {
      if (event.kind === "end") return;
      lastId = event.id ?? lastId;
      retryMs = event.retryMs ?? retryMs;
      if (event.data !== "") yield JSON.parse(event.data);
    }
    response = await connectAgain(asked, lastId, retryMs);
  }
}

async function connectAgain(asked: Asked, lastId: string | null, retryMs: number): Promise<Response> {
  const { signal } = asked.input;
  for (;;) {
    await pause(retryMs, signal);
    try {
      return await connect(asked, lastId);
    } catch (error) {
      if (isLasting(error, signal)) throw error;
    }
  }
}

async function connect({ options, operation, input }: Asked, lastId: string | null): Promise<Response> {
  const { headers, ...init } = requestOf(operation, input, options);
  const response = await fetch(options.baseUrl + addressOf(operation, input), {
    ...init,
    headers: { ...headers, accept: "text/event-stream", ...(lastId !== null && { "last-event-id": lastId }) },
  });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** True for what another try would meet again. */
const isLasting = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error instanceof Refused && error.status < 500 && error.status !== 429);

/** The text of an answer, as far as it arrives. */
async function* piecesOf({ body }: Response, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const piece = await reader?.read().catch(() => undefined);
      signal?.throwIfAborted();
      if (piece === undefined || piece.done) return;
      yield piece.value;
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function pause(forMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", give);
      resolve();
    }, forMs);
    if (signal?.aborted) give();
    signal?.addEventListener("abort", give, { once: true });
  });
}
