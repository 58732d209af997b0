import { linesOf } from "./event-reader.ts";
import { insistingOf } from "./request.ts";
import type { Asked } from "./send.ts";
import { openStream, textOf } from "./stream.ts";
import { tryAgain } from "./try-again.ts";

/**
 * What an operation answers in lines, one by one, as far as it has arrived; what is not taken waits at the service. Throws
 * what is refused, and `Unanswered` when it breaks off before its end: nobody takes a part for the whole.
 */
export async function* lines(asked: Asked): AsyncGenerator<unknown> {
  const stream = await tryAgain(insistingOf(asked.options, asked.input), (withinMs) =>
    openStream(asked, withinMs, { accept: "application/x-ndjson, application/json" }),
  );
  for await (const line of linesOf(textOf(stream))) yield JSON.parse(line);
}
