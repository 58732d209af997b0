import { describe, expect, test } from "vitest";
import { eventText, wantsEvents } from "./event-stream.ts";

interface Item {
  readonly seq: number;
  readonly text: string;
}

const never = new AbortController().signal;
const ignore = (): void => undefined;
const unended: AsyncIterable<Item> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };

async function* of(...items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function all(text: AsyncGenerator<string>): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of text) parts.push(part);
  return parts;
}

describe("an event stream", () => {
  test("numbers each item, keeps each on a line, and says when no more will come", async () => {
    const items = of({ seq: 4, text: "two\nlines" }, { seq: 5, text: "ä" });
    expect(await all(eventText({ items, numbered: "seq", gone: never, failed: ignore }))).toEqual([
      "retry: 1000\n\n",
      'id: 4\ndata: {"seq":4,"text":"two\\nlines"}\n\n',
      'id: 5\ndata: {"seq":5,"text":"ä"}\n\n',
      "event: end\ndata: {}\n\n",
    ]);
  });

  test("beats while nothing comes", async () => {
    const text = eventText({ items: unended, numbered: "seq", gone: never, failed: ignore, beatMs: 1 });
    const parts = [await text.next(), await text.next(), await text.next()].map(({ value }) => value);
    expect(parts).toEqual(["retry: 1000\n\n", ":\n\n", ":\n\n"]);
  });

  test("ends without an end when nobody listens any more, whatever its source does", async () => {
    const gone = new AbortController();
    const text = all(eventText({ items: unended, numbered: "seq", gone: gone.signal, failed: ignore }));
    gone.abort();
    expect(await text).toEqual(["retry: 1000\n\n"]);
    const late = eventText({ items: unended, numbered: "seq", gone: gone.signal, failed: ignore });
    expect(await all(late)).toEqual(["retry: 1000\n\n"]);
  });

  test("ends without an end when its source fails, and says so to the server", async () => {
    const failures: unknown[] = [];
    async function* failing(): AsyncGenerator<Item> {
      yield { seq: 1, text: "" };
      throw new Error("away");
    }
    const failed = (error: unknown): number => failures.push(error);
    const parts = await all(eventText({ items: failing(), numbered: "seq", gone: never, failed }));
    expect(parts).toEqual(["retry: 1000\n\n", 'id: 1\ndata: {"seq":1,"text":""}\n\n']);
    expect(failures).toEqual([new Error("away")]);
  });

  test("closes its source however it ends", async () => {
    let closed = 0;
    async function* source(): AsyncGenerator<Item> {
      try {
        yield { seq: 1, text: "" };
        yield { seq: 2, text: "" };
      } finally {
        closed += 1;
      }
    }
    const text = eventText({ items: source(), numbered: "seq", gone: never, failed: ignore });
    await text.next();
    await text.next();
    await text.return(undefined);
    await all(eventText({ items: source(), numbered: "seq", gone: never, failed: ignore }));
    expect(closed).toBe(2);
  });

  test.each([
    ["text/event-stream", true],
    ["application/json, text/event-stream;q=0.9", true],
    ["Text/Event-Stream", true],
    ["application/json", false],
    ["*/*", false],
    ["text/event-streams", false],
    [undefined, false],
  ])("is asked for by Accept: %s: %s", (accept, asked) => {
    expect(wantsEvents({ headers: accept === undefined ? {} : { accept } })).toBe(asked);
  });
});
