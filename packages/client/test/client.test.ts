import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { type Client, createClient } from "../src/index.ts";

type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;

const runId = "0198f000-0000-7000-8000-000000000001";
const params = { runId };
const event = (seq: number, text = `line ${seq}`) => ({ seq, text });
const written = (seq: number, text?: string): string => `id: ${seq}\ndata: ${JSON.stringify(event(seq, text))}\n\n`;
const end = "event: end\ndata: {}\n\n";

describe("the client", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A client of a service that answers its requests one after the other in these ways, then always in the last. */
  async function clientOf(...answers: [Answering, ...Answering[]]): Promise<Client> {
    const later = [...answers];
    const server = createServer((request, response) => {
      const answering = (later.length > 1 ? later.shift() : later[0]) ?? answers[0];
      answering(request, response);
    });
    servers.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as { port: number };
    return createClient({ baseUrl: `http://127.0.0.1:${port}`, token: "a-token" });
  }

  const events =
    (text: string, then: "lost" | "open" | "ended" = "ended"): Answering =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`retry: 1\n\n${text}`, () => {
        if (then === "lost") response.destroy();
        if (then === "ended") response.end();
      });
    };
  const refusing =
    (status: number, code: string): Answering =>
    (_, response) => {
      response.writeHead(status).end(JSON.stringify({ error: "No.", code, details: [], requestId: "r" }));
    };
  const seqsOf = async (items: AsyncIterable<{ seq: number }>): Promise<number[]> => {
    const seqs: number[] = [];
    for await (const { seq } of items) seqs.push(seq);
    return seqs;
  };
  /** Keeps what a request asked for. */
  const noting =
    (asked: string[], header: string, answering: Answering): Answering =>
    (request, response) => {
      asked.push(String(request.headers[header]));
      answering(request, response);
    };

  test("answers what was accepted as the resource", async () => {
    const woken = { run: null, coalesced: false, skipped: "self_caused" };
    const client = await clientOf((_, response) => response.writeHead(202).end(JSON.stringify(woken)));
    expect(await client.runs.invoke({ params: { agentId: "ada" } })).toEqual(woken);
  });

  test("answers bytes as they are, all or a part", async () => {
    const ranges: string[] = [];
    const bytes = Buffer.from([0, 255, 10]);
    const client = await clientOf(noting(ranges, "range", (_, response) => response.end(bytes)));
    expect(await client.runs.log({ params })).toEqual(new Uint8Array(bytes));
    await client.runs.log({ params, range: { from: 3 } });
    await client.runs.log({ params, range: { to: 3 } });
    await client.runs.log({ params, range: { from: 2, to: 3 } });
    expect(ranges).toEqual(["undefined", "bytes=3-", "bytes=0-2", "bytes=2-2"]);
    await expect(client.runs.log({ params, range: { from: 3, to: 3 } })).rejects.toThrow(RangeError);
  });

  test("gives any call up when its signal aborts, with the signal's reason", async () => {
    const client = await clientOf(() => undefined);
    const reason = new Error("enough");
    const giving = new AbortController();
    const call = client.runs.get({ params, signal: giving.signal });
    giving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  describe("follows", () => {
    test("what a page tells, until the service says that it ends", async () => {
      const asked: string[] = [];
      const client = await clientOf(
        noting(asked, "accept", events(written(1) + written(2) + end + written(3), "open")),
      );
      expect(await seqsOf(client.runs.events.follow({ params, query: { after: 0 } }))).toEqual([1, 2]);
      expect(asked).toEqual(["text/event-stream"]);
    });

    test("texts of any kind, however the stream is cut", async () => {
      const texts = ["ä€😀", "two\nlines\r", "\u2028", ": data: id: 9", ""];
      const bytes = Buffer.from(texts.map((text, index) => written(index + 1, text)).join(":\n\n") + end);
      const client = await clientOf(async (_, response) => {
        for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
      });
      const told: (string | null)[] = [];
      for await (const { text } of client.runs.events.follow({ params })) told.push(text);
      expect(told).toEqual(texts);
    });

    test("on after a lost connection, from the last item that arrived", async () => {
      const asked: string[] = [];
      const cutOff = written(3).slice(0, -1);
      const client = await clientOf(
        noting(asked, "last-event-id", events(written(1) + written(2) + cutOff, "lost")),
        noting(asked, "last-event-id", events("", "ended")),
        noting(asked, "last-event-id", refusing(503, "overloaded")),
        noting(asked, "last-event-id", (request) => request.socket.destroy()),
        noting(asked, "last-event-id", events(written(3) + end)),
      );
      expect(await seqsOf(client.runs.events.follow({ params }))).toEqual([1, 2, 3]);
      expect(asked).toEqual(["undefined", "2", "2", "2", "2"]);
    });

    test("nothing that is refused, at first or later", async () => {
      const refused = await clientOf(refusing(404, "not_found"));
      await expect(seqsOf(refused.runs.events.follow({ params }))).rejects.toMatchObject({ code: "not_found" });
      const ended = await clientOf(events(written(1), "lost"), refusing(401, "run_ended"));
      await expect(seqsOf(ended.runs.events.follow({ params }))).rejects.toMatchObject({ code: "run_ended" });
    });

    test("no service that cannot be reached at first", async () => {
      const client = await clientOf((request) => request.socket.destroy());
      await expect(seqsOf(client.runs.events.follow({ params }))).rejects.toThrow("fetch failed");
    });

    test("no longer than its signal lets it, while it listens and while it waits to try again", async () => {
      for (const then of ["open", "lost"] as const) {
        const client = await clientOf(events(`retry: 60000\n\n${written(1)}`, then));
        const giving = new AbortController();
        const items = client.runs.events.follow({ params, signal: giving.signal });
        expect((await items.next()).value).toMatchObject({ seq: 1 });
        const next = items.next();
        setImmediate(() => giving.abort(new Error("enough")));
        await expect(next).rejects.toThrow("enough");
      }
    });

    test("until its reader breaks off, and then lets the connection go", async () => {
      let left: () => void = () => undefined;
      const gone = new Promise<void>((resolve) => {
        left = resolve;
      });
      const client = await clientOf((request, response) => {
        response.on("close", left);
        events(written(1), "open")(request, response);
      });
      for await (const { seq } of client.runs.events.follow({ params })) {
        expect(seq).toBe(1);
        break;
      }
      await gone;
    });
  });
});
