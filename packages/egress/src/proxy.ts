import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { EgressFault, faultOf } from "./egress-fault.ts";
import { dial, portOf, urlOf, type Way } from "./way.ts";

/** A proxy of this machine that leads to one checked address, for a program that makes its own requests. */
export interface EgressProxy {
  /** With the word that lets in; only for the environment of the program. */
  readonly url: string;
  /** What went wrong on the way, if anything did: the program knows only that it was cut off. */
  readonly fault: EgressFault | null;
  close(): Promise<void>;
}

interface Relay {
  readonly way: Way;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  readonly word: string;
  readonly open: Set<Duplex>;
  left: number;
  fault: EgressFault | null;
}

/**
 * Opens a proxy to `way` on a port of its own. It resolves nothing, so that whatever name or redirect the program comes
 * upon, it reaches the checked address or nothing. After `mostBytes` from there, or at the signal, it is cut off.
 */
export async function openProxy(way: Way, limits: { mostBytes: number; signal: AbortSignal }): Promise<EgressProxy> {
  const word = randomBytes(16).toString("hex");
  const relay: Relay = { way, ...limits, word, open: new Set(), left: limits.mostBytes, fault: null };
  const server = createServer((asked, answer) => void forward(relay, asked, answer));
  server.on("connect", (asked: IncomingMessage, client: Duplex) => void tunnel(relay, asked, client));
  server.on("connection", (socket: Socket) => keep(relay, socket));
  const cut = (): void => cutOff(relay, faultOf(limits.signal.reason));
  limits.signal.addEventListener("abort", cut, { once: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://git:${word}@127.0.0.1:${port}`,
    get fault() {
      return relay.fault;
    },
    close: async () => {
      limits.signal.removeEventListener("abort", cut);
      for (const socket of relay.open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** CONNECT: bytes both ways, for programs that encrypt by themselves. */
async function tunnel(relay: Relay, asked: IncomingMessage, client: Duplex): Promise<void> {
  const refusal = refusalOf(relay, asked, `https://${asked.url ?? ""}`);
  if (refusal !== null) return void client.end(`HTTP/1.1 ${refusal}${noMore}`);
  try {
    const upstream = keep(relay, await dial(relay.way, relay.signal));
    count(relay, upstream);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    pipeline(upstream, client, nothing);
    pipeline(client, upstream, nothing);
  } catch (error) {
    relay.fault ??= faultOf(error);
    client.end(`HTTP/1.1 502 Bad Gateway${noMore}`);
  }
}

/** A plain request, its address written out. */
async function forward(relay: Relay, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const refusal = refusalOf(relay, asked, asked.url ?? "");
  if (refusal !== null) return void answer.writeHead(Number.parseInt(refusal, 10), authenticateHeader).end();
  try {
    const socket = keep(relay, await dial(relay.way, relay.signal));
    count(relay, socket);
    const { pathname, search, host } = new URL(asked.url ?? "");
    const headers = { ...forwarded(asked), host, connection: "close" };
    const sent = { createConnection: () => socket, method: asked.method, path: `${pathname}${search}`, headers };
    const onward = request(sent, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      pipeline(received, answer, nothing);
    });
    onward.on("error", () => answer.destroy());
    pipeline(asked, onward, nothing);
  } catch (error) {
    relay.fault ??= faultOf(error);
    answer.writeHead(502).end();
  }
}

/** Who is cut off sees that it is. */
const nothing = (): void => undefined;

const noMore = "\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const authenticateHeader = { "proxy-authenticate": 'Basic realm="egress"' };

/** The status line for a request that is not let through, or null. Only the program that was given the word is. */
function refusalOf({ way, word }: Relay, asked: IncomingMessage, address: string): string | null {
  const wanted = `Basic ${Buffer.from(`git:${word}`).toString("base64")}`;
  if (asked.headers["proxy-authorization"] !== wanted) {
    return `407 Proxy Authentication Required\r\nproxy-authenticate: ${authenticateHeader["proxy-authenticate"]}`;
  }
  const url = urlOf(address);
  const isThere =
    url !== null &&
    url.protocol === way.url.protocol &&
    url.hostname === way.url.hostname &&
    portOf(url) === portOf(way.url);
  return isThere ? null : "403 Forbidden";
}

/** The headers that belong to the request itself, not to the connection it came on. */
function forwarded({ headers }: IncomingMessage): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(?:proxy-|connection$|expect$|keep-alive$|te$)/.test(name),
  );
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function keep<T extends Duplex>(relay: Relay, socket: T): T {
  relay.open.add(socket);
  // What ends a connection is told by its end.
  socket.on("error", () => socket.destroy());
  socket.once("close", () => relay.open.delete(socket));
  return socket;
}

function count(relay: Relay, upstream: Socket): void {
  upstream.on("data", (part: Buffer) => {
    relay.left -= part.length;
    if (relay.left < 0) cutOff(relay, new EgressFault("large", `has more than ${relay.mostBytes} bytes`));
  });
}

function cutOff(relay: Relay, fault: EgressFault): void {
  relay.fault ??= fault;
  for (const socket of relay.open) socket.destroy();
}
