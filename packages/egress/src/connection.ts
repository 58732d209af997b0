import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { EgressFault } from "./egress-fault.ts";
import { dial, hostOf, type Way } from "./way.ts";

/** What a connection is made with. */
export interface Connecting {
  readonly signal: AbortSignal;
  /** Certificates to trust instead of those that Node trusts. */
  readonly ca: string | undefined;
}

/** A connection to a checked address, good for one request. */
export interface Line {
  readonly url: URL;
  /** What is spoken over; encrypted where the address says so. */
  readonly socket: Socket;
  close(): void;
}

/** What is sent over a line. */
export interface Sent {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Connects to a checked address, and over TLS for the name that was asked and no other. */
export async function openLine(way: Way, { signal, ca }: Connecting): Promise<Line> {
  const plain = await dial(way, signal);
  const { url } = way;
  const close = (): void => void plain.destroy();
  try {
    return { url, socket: url.protocol === "https:" ? await secured(plain, url, { signal, ca }) : plain, close };
  } catch (error) {
    close();
    throw error;
  }
}

function secured(socket: Socket, url: URL, { ca, signal }: Connecting): Promise<Socket> {
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

/** Sends a request and resolves with the head of its answer; no cookie and no credential goes with it but what is given. */
export function askOver({ socket, url }: Line, { method, headers, body, signal }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, host: url.host, connection: "close", "accept-encoding": "identity" };
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const path = `${url.pathname}${url.search}`;
    const parts = { createConnection: () => socket, method, path, headers: { ...sent, ...length }, signal };
    const asking = request(parts);
    asking.once("response", resolve);
    asking.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    asking.end(body);
  });
}

/** Refuses an answer that is packed: asked for as it is, nobody knows how large it is otherwise. */
export function requirePlain({ headers }: IncomingMessage): void {
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    throw new EgressFault("away", "answered in an encoding that was not asked for");
  }
}
