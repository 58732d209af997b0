import { afterEach, describe, expect, test } from "vitest";
import { Unanswered } from "../src/index.ts";
import { type Answering, hangingUp, playServices, refusing } from "./fixture/played-service.ts";

const asked = { params: { companyId: "0198f000-0000-7000-8000-000000000001" } };
const written = (seq: number, sentence = "did"): string => `${JSON.stringify({ seq, sentence })}\n`;

const lines =
  (text: string, then: "ended" | "lost" | "open" = "ended"): Answering =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(text, () => {
      if (then === "lost") response.destroy();
      if (then === "ended") response.end();
    });
  };

describe("the client reads lines", () => {
  const services = playServices();
  afterEach(() => services.close());
  const play = async (...answers: [Answering, ...Answering[]]) => services.play({}, ...answers);

  test("one by one, as far as they have arrived, however they are cut", async () => {
    const sentences = ["ä€😀", "two\nlines\r", "\u2028", ""];
    const bytes = Buffer.from(sentences.map((sentence, index) => written(index + 1, sentence)).join(""));
    const { client } = await play(async (_, response) => {
      for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
    });
    const reading = client.activity.export(asked);
    const told: unknown[] = [];
    while (told.length < sentences.length) told.push((await reading.next()).value.sentence);
    expect(told).toEqual(sentences);
    await reading.return?.();
  });

  test("to their end, which may be at once", async () => {
    const { client } = await play(lines(""), lines(written(1) + written(2)));
    expect(await client.activity.export(asked).next()).toEqual({ done: true, value: undefined });
    const seqs: number[] = [];
    for await (const { seq } of client.activity.export(asked)) seqs.push(seq);
    expect(seqs).toEqual([1, 2]);
  });

  test("and takes no part for the whole: what breaks off is said, after what has arrived", async () => {
    const { client, asked: requests } = await play(lines(written(1) + written(2).slice(0, -1), "lost"));
    const reading = client.activity.export(asked);
    expect((await reading.next()).value.seq).toBe(1);
    await expect(reading.next()).rejects.toThrow(Unanswered);
    expect(requests).toHaveLength(1);
  });

  test("after another try where none had begun; what is refused is thrown", async () => {
    const { client } = await play(
      hangingUp,
      refusing(503, "overloaded"),
      lines(written(1)),
      refusing(403, "forbidden"),
    );
    expect((await client.activity.export(asked).next()).value.seq).toBe(1);
    await expect(client.activity.export(asked).next()).rejects.toMatchObject({ status: 403, code: "forbidden" });
  });

  test("and lets the connection go when nobody reads any more", async () => {
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const { client } = await play((request, response) => {
      response.once("close", leave);
      lines(written(1), "open")(request, response);
    });
    for await (const { seq } of client.activity.export(asked)) {
      expect(seq).toBe(1);
      break;
    }
    await left;
  });
});
