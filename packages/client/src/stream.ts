import { type Bounds, boundsOf } from "./bounds.ts";
import { type Asked, send } from "./send.ts";
import { Unanswered } from "./unanswered.ts";

// The service says something every 15 seconds where it waits, if only that it is there.
const defaultSilenceMs = 45_000;

/** An answer whose body is read as it comes. */
export interface Stream {
  readonly asked: Asked;
  readonly response: Response;
  readonly bounds: Bounds;
}

/** Asks for a stream, once; its head is to be there within the time. Throws as `send` does. */
export async function openStream(
  asked: Asked,
  withinMs: number,
  special: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const bounds = boundsOf(asked.input.signal);
  bounds.within(withinMs);
  try {
    return { asked, response: await send(asked, bounds, (response) => Promise.resolve(response), special), bounds };
  } catch (error) {
    bounds.release();
    throw error;
  }
}

/**
 * The text of a stream as it comes. Throws `Unanswered` when the connection breaks or is silent for too long, and the
 * reason of the caller's signal. Who stops reading lets the connection go.
 */
export async function* textOf({ asked, response, bounds }: Stream): AsyncGenerator<string> {
  const { operation, options, input } = asked;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      bounds.within(options.silenceMs ?? defaultSilenceMs);
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return;
      // However long the reader takes over it.
      bounds.stop();
      yield piece.value;
    }
  } catch (error) {
    input.signal?.throwIfAborted();
    throw new Unanswered(operation.method, response.url, bounds.signal.aborted ? bounds.signal.reason : error);
  } finally {
    bounds.release();
    await reader?.cancel().catch(() => undefined);
  }
}
