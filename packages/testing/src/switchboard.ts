import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One address in front of servers that come and go, as a client sees a service that is started anew. */
export interface Switchboard {
  readonly url: string;
  /** Cuts all connections; from now on asks this server, or hangs up where there is none. */
  to(url: string | null): void;
  /** Passes the next request on, and hangs up when it is answered. */
  swallowNextAnswer(): void;
  close(): void;
}

/** Puts an address in front of a server. */
export async function startSwitchboard(first: string | null): Promise<Switchboard> {
  let target = first;
  let swallows = false;
  const server = createServer(async (asked, answer) => {
    const swallowed = swallows;
    swallows = false;
    try {
      const there = await passOn(asked, answer, target);
      if (swallowed) await untilEnd(there);
      else forward(there, answer);
    } catch {
      // The server is gone; so is who passes on.
    }
    if (swallowed || !answer.headersSent) answer.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    to: (url) => {
      target = url;
      server.closeAllConnections();
    },
    swallowNextAnswer: () => {
      swallows = true;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends a request on to where the service is now, which expects its own name as its host. */
async function passOn(asked: IncomingMessage, answer: ServerResponse, target: string | null): Promise<IncomingMessage> {
  if (target === null) throw new Error("nobody is there");
  const there = request(target + (asked.url ?? ""), {
    method: asked.method ?? "GET",
    headers: { ...asked.headers, host: new URL(target).host },
  });
  asked.pipe(there);
  answer.once("close", () => there.destroy());
  const [answered] = (await once(there, "response")) as [IncomingMessage];
  return answered;
}

function forward(there: IncomingMessage, answer: ServerResponse): void {
  answer.writeHead(there.statusCode ?? 500, there.headers);
  there.on("error", () => answer.destroy());
  there.on("aborted", () => answer.destroy());
  there.pipe(answer);
}

async function untilEnd(there: IncomingMessage): Promise<void> {
  there.resume();
  await once(there, "end");
}
