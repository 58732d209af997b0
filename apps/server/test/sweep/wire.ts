import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

/** One request, as it goes over the wire: nothing is added but a request id. */
export interface Call {
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Announces a body of so many bytes and sends none of it, so that no reset can overtake the answer. */
  readonly announcedBytes?: number;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The id the request was sent with; entries of the log carry it. */
  readonly requestId: string;
}

/** Connections to one server. */
export interface Wire {
  send(call: Call): Promise<Answer>;
  close(): void;
}

const mostSockets = 8;
const patienceMs = 20_000;

/** Opens connections to the server at `url`; at most a handful of requests are under way at once. */
export function openWire(url: string): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: mostSockets });
  const { hostname, port } = new URL(url);
  let sent = 0;
  const send = (call: Call): Promise<Answer> => {
    sent += 1;
    const requestId = `sweep-${sent}`;
    const length = call.announcedBytes ?? (call.body === undefined ? undefined : Buffer.byteLength(call.body));
    const headers = {
      "x-request-id": requestId,
      ...(length === undefined ? {} : { "content-length": String(length) }),
      ...call.headers,
    };
    const ownConnection = call.announcedBytes !== undefined;
    return new Promise((resolve, reject) => {
      const { method, path } = call;
      const asked = request({ hostname, port, method, path, headers, agent: ownConnection ? false : agent });
      asked.setTimeout(patienceMs, () => asked.destroy(new Error(`${method} ${path}: no answer in ${patienceMs} ms`)));
      asked.on("error", reject);
      asked.on("response", (response) => collect(response, requestId, asked).then(resolve, reject));
      if (ownConnection) asked.flushHeaders();
      else asked.end(call.body);
    });
  };
  return { send, close: () => agent.destroy() };
}

async function collect(response: IncomingMessage, requestId: string, asked: ClientRequest): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  if (!asked.writableEnded) asked.destroy();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString("utf8"),
    requestId,
  };
}
