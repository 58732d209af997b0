import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { EgressFault } from "./egress-fault.ts";
import { dial, hostOf, type Way } from "./way.ts";

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
export interface PageRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  /** Certificates to trust instead of those that Node trusts. */
  readonly ca: string | undefined;
}

/** Asks at a checked address. No cookie, no credential and no header of anybody's request goes with it. */
export async function fetchPage(way: Way, asked: PageRequest): Promise<Page> {
  const plain = await dial(way, asked.signal);
  try {
    const socket = way.url.protocol === "https:" ? await secured(plain, way.url, asked) : plain;
    const answer = await answered(socket, way.url, asked);
    const { statusCode: status = 0, headers } = answer;
    const movedTo = status >= 300 && status < 400 ? (headers.location ?? null) : null;
    const body = movedTo === null ? await bodyOf(answer, asked) : Buffer.alloc(0);
    return { url: way.url, status, contentType: headers["content-type"] ?? "", movedTo, body };
  } finally {
    plain.destroy();
  }
}

function secured(socket: Socket, url: URL, { ca, signal }: PageRequest): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = hostOf(url);
    const named = url.hostname.startsWith("[") ? {} : { servername: host };
    const secure = connectTls({ socket, host, ...named, ...(ca !== undefined && { ca }) });
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    secure.once("secureConnect", () => {
      signal.removeEventListener("abort", abort);
      resolve(secure);
    });
    secure.on("error", reject);
    secure.once("close", () => reject(new EgressFault("away", "closed the connection")));
  });
}

function answered(socket: Socket, url: URL, { headers, signal }: PageRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, host: url.host, connection: "close", "accept-encoding": "identity" };
    const path = `${url.pathname}${url.search}`;
    const asking = request({ createConnection: () => socket, method: "GET", path, headers: sent, signal });
    asking.once("response", resolve);
    asking.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    asking.end();
  });
}

async function bodyOf(answer: IncomingMessage, { mostBytes, signal }: PageRequest): Promise<Buffer> {
  // Asked for as it is; packed anyway, nobody knows how large it is.
  if ((answer.headers["content-encoding"] ?? "identity") !== "identity") {
    throw new EgressFault("away", "answered in an encoding that was not asked for");
  }
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
