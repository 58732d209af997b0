import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../refusal.ts";
import type { StoredAnswer } from "./table.ts";

/** Bytes that a handler answers: how many there are, and any part of them, `to` not included. */
export interface ByteSource {
  readonly total: number;
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** Nothing of what was asked for is there. */
export class UnsatisfiableRange extends Refusal {
  readonly total: number;

  constructor(total: number) {
    super("range_not_satisfiable", `There are ${total} bytes; none of them is in the range asked for.`, {
      details: [{ path: "range", message: `starts at or after byte ${total}` }],
    });
    this.total = total;
  }
}

/** The answer that holds the bytes which a request asks for: all, or with `Range` a part. Nothing is read here. */
export function bytesAnswer({ total, read }: ByteSource, { headers }: FastifyRequest): StoredAnswer {
  // Without validators no If-Range can be met, and then all is sent.
  const part = headers["if-range"] === undefined ? rangeOf(headers.range, total) : null;
  if (part === "unsatisfiable") throw new UnsatisfiableRange(total);
  const { from, to } = part ?? { from: 0, to: total };
  return {
    status: part === null ? 200 : 206,
    headers: {
      "accept-ranges": "bytes",
      "content-length": String(to - from),
      ...(part !== null && { "content-range": `bytes ${from}-${to - 1}/${total}` }),
    },
    body: Readable.from(exactly(to - from, read(from, to)), { objectMode: false }),
  };
}

/** A part of some bytes, `to` not included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** What a `Range` header asks for of `total` bytes; null where it asks for all, or is to be ignored. Pure. */
export function rangeOf(header: string | undefined, total: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? "") ?? [];
  if (first === "") return last === "" ? null : suffixOf(Number(last), total);
  const from = Number(first);
  if (last !== "" && Number(last) < from) return null;
  if (from >= total) return "unsatisfiable";
  return { from, to: last === "" ? total : Math.min(Number(last) + 1, total) };
}

/** Of nothing the last bytes are there, but no `Content-Range` can say so: all of it is sent. */
function suffixOf(length: number, total: number): ByteRange | "unsatisfiable" | null {
  if (length === 0) return "unsatisfiable";
  return total === 0 ? null : { from: Math.max(total - length, 0), to: total };
}

/** What was announced and what is sent must be the same, or the connection ends: never a part that looks whole. */
async function* exactly(length: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = length;
  if (left === 0) return;
  for await (const chunk of source) {
    left -= chunk.byteLength;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error(`a source of ${length} bytes gave ${left < 0 ? "more" : `${left} less`}`);
}
