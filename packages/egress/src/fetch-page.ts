import type { IncomingMessage } from "node:http";
import { askOver, type Connecting, openLine, requirePlain } from "./connection.ts";
import { EgressFault } from "./egress-fault.ts";
import type { Way } from "./way.ts";

/** One answer to one request, its redirect not followed. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly contentType: string;
  /** Where it leads instead; null for an answer that is no redirect. */
  readonly movedTo: string | null;
  readonly body: Buffer;
}

/** How one request is made. */
export interface PageRequest extends Connecting {
  readonly headers: Readonly<Record<string, string>>;
  readonly mostBytes: number;
}

/** Asks at a checked address. No cookie, no credential and no header of anybody's request goes with it. */
export async function fetchPage(way: Way, asked: PageRequest): Promise<Page> {
  const line = await openLine(way, asked);
  try {
    const answer = await askOver(line, { method: "GET", headers: asked.headers, signal: asked.signal });
    const { statusCode: status = 0, headers } = answer;
    const movedTo = status >= 300 && status < 400 ? (headers.location ?? null) : null;
    const body = movedTo === null ? await bodyOf(answer, asked) : Buffer.alloc(0);
    return { url: way.url, status, contentType: headers["content-type"] ?? "", movedTo, body };
  } finally {
    line.close();
  }
}

async function bodyOf(answer: IncomingMessage, { mostBytes, signal }: PageRequest): Promise<Buffer> {
  requirePlain(answer);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer) {
      bytes += part.length;
      if (bytes > mostBytes) throw new EgressFault("large", `has more than ${mostBytes} bytes`);
      parts.push(part);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(parts);
}
