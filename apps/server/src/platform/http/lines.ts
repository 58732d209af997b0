import { Readable } from "node:stream";
import type { z } from "zod";
import type { Batches } from "./handler.ts";
import type { StoredAnswer } from "./table.ts";

/**
 * The answer that sends items as JSON, each on a line. A batch is asked for when there is room for it, so a slow reader
 * costs no memory, and none after a reader has left. What fails on the way breaks the connection off: never a part that
 * looks whole. Items are checked against `schema`, where there is one.
 */
export const linesAnswer = (batches: Batches<unknown>, schema: z.ZodType | null): StoredAnswer => ({
  status: 200,
  headers: {},
  body: Readable.from(linesOf(batches, schema), { objectMode: false }),
});

async function* linesOf(batches: Batches<unknown>, schema: z.ZodType | null): AsyncGenerator<string> {
  for await (const items of batches) {
    if (schema !== null) for (const item of items) schema.parse(item);
    // An empty piece would be none to the stream.
    if (items.length > 0) yield items.map((item) => `${JSON.stringify(item)}\n`).join("");
  }
}
