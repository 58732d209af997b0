import { describe, expect, test } from "vitest";
import { Refusal } from "../refusal.ts";
import { eventText, wantsEvents } from "./event-stream.ts";
import { Reached } from "./handler.ts";

interface Item {
  readonly seq: number;
  readonly text: string;
}

const never = new AbortController().signal;
const ignore = (): void => undefined;
const usual = { numbered: "seq", gone: never, failed: ignore, requireAccess: () => Promise.resolve() };
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
    const follow = () => of({ seq: 4, text: "two\nlines" }, { seq: 5, text: "ä" });
    expect(await all(eventText({ ...usual, follow }))).toEqual([
      "retry: 1000\n\n",
      'id: 4\ndata: {"seq":4,"text":"two\\nlines"}\n\n',
      'id: 5\ndata: {"seq":5,"text":"ä"}\n\n',
      "event: end\ndata: {}\n\n",
    ]);
  });

  test("beats while nothing comes", async () => {
    const text = eventText({ ...usual, follow: () => unended, beatMs: 1 });
    const parts = [await text.next(), await text.next(), await text.next()].map(({ value }) => value);
    expect(parts).toEqual(["retry: 1000\n\n", ":\n\n", ":\n\n"]);
  });

  test("ends without an end when nobody listens any more, whatever its source does", async () => {
    const gone = new AbortController();
    const text = all(eventText({ ...usual, follow: () => unended, gone: gone.signal }));
    gone.abort();
    expect(await text).toEqual(["retry: 1000\n\n"]);
    const late = eventText({ ...usual, follow: () => unended, gone: gone.signal });
    expect(await all(late)).toEqual(["retry: 1000\n\n"]);
  });

  test("ends without an end when its source fails, and says so to the server", async () => {
    const failures: unknown[] = [];
    async function* failing(): AsyncGenerator<Item> {
      yield { seq: 1, text: "" };
      throw new Error("away");
    }
    const failed = (error: unknown): number => failures.push(error);
    const parts = await all(eventText({ ...usual, follow: failing, failed }));
    expect(parts).toEqual(["retry: 1000\n\n", 'id: 1\ndata: {"seq":1,"text":""}\n\n']);
    expect(failures).toEqual([new Error("away")]);
  });

  test("says where its reader has come to without an item", async () => {
    async function* follow(): AsyncGenerator<Item | Reached> {
      yield new Reached(7);
    }
    const parts = await all(eventText({ ...usual, follow }));
    expect(parts).toEqual(["retry: 1000\n\n", "id: 7\n\n", "event: end\ndata: {}\n\n"]);
  });

  describe("asks at each beat whether its reader still may", () => {
    const failures: unknown[] = [];
    const failed = (error: unknown): number => failures.push(error);
    /** One answer after the other, the last for good. */
    const answering = (...answers: (Error | null)[]) => {
      return async (): Promise<void> => {
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (answer) throw answer;
      };
    };
    const refusal = new Refusal("forbidden", "No more.");
    const away = new Error("the database is away");

    test("and ends without an end, and silently, when it may not", async () => {
      const requireAccess = answering(null, refusal);
      const text = all(eventText({ ...usual, follow: () => unended, failed, requireAccess, beatMs: 1 }));
      expect(await text).toEqual(["retry: 1000\n\n", ":\n\n"]);
      expect(failures).toEqual([]);
    });

    test("and stays while that cannot be found out, but tells nothing before it is", async () => {
      let tell: (step: IteratorResult<Item>) => void = () => undefined;
      const item = new Promise<IteratorResult<Item>>((resolve) => {
        tell = resolve;
      });
      const follow = () => ({ [Symbol.asyncIterator]: () => ({ next: () => item }) });
      const requireAccess = answering(away, away, refusal);
      const text = eventText({ ...usual, follow, failed, requireAccess, beatMs: 1 });
      expect([await text.next(), await text.next(), await text.next()].map(({ value }) => value)).toEqual([
        "retry: 1000\n\n",
        ":\n\n",
        ":\n\n",
      ]);
      tell({ done: false, value: { seq: 1, text: "secret" } });
      expect(await all(text)).toEqual([]);
      expect(failures).toEqual([]);
    });
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
    const text = eventText({ ...usual, follow: source });
    await text.next();
    await text.next();
    await text.return(undefined);
    await all(eventText({ ...usual, follow: source }));
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
