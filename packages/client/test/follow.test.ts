import { afterEach, describe, expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { type Answering, hangingUp, type PlayedService, playServices, refusing } from "./fixture/played-service.ts";

const params = { runId: "0198f000-0000-7000-8000-000000000001" };
const event = (seq: number, text = `line ${seq}`) => ({ seq, text });
const written = (seq: number, text?: string): string => `id: ${seq}\ndata: ${JSON.stringify(event(seq, text))}\n\n`;
const end = "event: end\ndata: {}\n\n";

const events =
  (text: string, then: "lost" | "open" | "ended" = "ended"): Answering =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`retry: 1\n\n${text}`, () => {
      if (then === "lost") response.destroy();
      if (then === "ended") response.end();
    });
  };

const seqsOf = async (items: AsyncIterable<{ seq: number }>): Promise<number[]> => {
  const seqs: number[] = [];
  for await (const { seq } of items) seqs.push(seq);
  return seqs;
};

describe("the client follows", () => {
  const services = playServices();
  afterEach(() => services.close());
  const play = (...answers: [Answering, ...Answering[]]): Promise<PlayedService> => services.play({}, ...answers);
  const clientOf = async (...answers: [Answering, ...Answering[]]): Promise<Client> => (await play(...answers)).client;

  test("what a page tells, until the service says that it ends", async () => {
    const { client, asked } = await play(events(written(1) + written(2) + end + written(3), "open"));
    expect(await seqsOf(client.runs.events.follow({ params, query: { after: 0 } }))).toEqual([1, 2]);
    expect(asked.map(({ headers }) => headers.accept)).toEqual(["text/event-stream"]);
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

  test("on after a lost connection, from the last item that arrived or was passed over", async () => {
    const cutOff = written(3).slice(0, -1);
    const { client, asked } = await play(
      events(written(1) + written(2) + cutOff, "lost"),
      events("", "ended"),
      refusing(503, "overloaded"),
      refusing(500, "internal"),
      hangingUp,
      events("id: 7\n\n", "lost"),
      events(written(8) + end),
    );
    expect(await seqsOf(client.runs.events.follow({ params }))).toEqual([1, 2, 8]);
    expect(asked.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2", "2", "2", "2", "2", "7"]);
  });

  test("on after a connection that fell silent, though it is not broken", async () => {
    const { client, asked } = await services.play(
      { silenceMs: 300 },
      events(written(1), "open"),
      events(written(2) + end),
    );
    expect(await seqsOf(client.runs.events.follow({ params }))).toEqual([1, 2]);
    expect(asked.slice(0, 2).map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "1"]);
  });

  test("a service that comes only after some tries, as any other read does", async () => {
    const client = await clientOf(hangingUp, refusing(503, "overloaded"), events(written(1) + end));
    expect(await seqsOf(client.runs.events.follow({ params }))).toEqual([1]);
  });

  test("nothing that is refused, at first or later", async () => {
    const refused = await clientOf(refusing(404, "not_found"));
    await expect(seqsOf(refused.runs.events.follow({ params }))).rejects.toMatchObject({ code: "not_found" });
    const ended = await clientOf(events(written(1), "lost"), refusing(401, "run_ended"));
    await expect(seqsOf(ended.runs.events.follow({ params }))).rejects.toMatchObject({ code: "run_ended" });
  });

  test("no service that cannot be reached at first", async () => {
    const { client } = await services.play({ retries: 0 }, hangingUp);
    await expect(seqsOf(client.runs.events.follow({ params }))).rejects.toMatchObject({ name: "Unanswered" });
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
