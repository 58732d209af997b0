// An agent behind an address, as somebody else would write one: plain HTTP on loopback.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that came in. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** The body as it came, which is what a signature is about. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: ServerResponse;
}

/** A receiver, and everything it was sent. */
export interface Receiver {
  readonly url: string;
  /** What opens the way to it. */
  readonly place: string;
  readonly received: readonly Received[];
  /** What it does with a run; nothing until it is told. Cancellations are answered with 200. */
  onRun: (call: Received) => unknown;
  /** The first call of this type, which may yet come. */
  call(type: "run.start" | "run.cancel"): Promise<Received>;
  close(): void;
}

/** Starts a receiver on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString("utf8");
    const call = { headers: request.headers, text, body: JSON.parse(text) as Received["body"], answer };
    received.push(call);
    for (const look of waiting) look();
    if (call.body["type"] === "run.cancel") answer.end();
    else receiver.onRun(call);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/runs`,
    place: `127.0.0.1:${port}`,
    received,
    onRun: () => undefined,
    call: (type) =>
      new Promise((resolve) => {
        const look = (): void => {
          const call = received.find(({ body }) => body["type"] === type);
          if (call === undefined) return;
          waiting.delete(look);
          resolve(call);
        };
        waiting.add(look);
        look();
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
