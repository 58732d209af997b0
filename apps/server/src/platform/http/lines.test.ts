import { once } from "node:events";
import type { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { linesAnswer } from "./lines.ts";

test("an answer in lines asks for a batch when there is room for it, and for none while nobody reads", async () => {
  let asked = 0;
  async function* batches(): AsyncGenerator<string[]> {
    for (;;) {
      asked += 1;
      yield Array.from({ length: 200 }, () => "x".repeat(600));
    }
  }
  const body = linesAnswer(batches(), null).body as Readable;
  expect(asked).toBe(0);
  const untilReadable = once(body, "readable");
  body.read(0);
  await untilReadable;
  for (let n = 0; n < 100; n += 1) await turn();
  const filled = asked;
  expect(filled).toBeLessThan(4);
  body.read();
  for (let n = 0; n < 100; n += 1) await turn();
  expect(asked).toBeGreaterThan(filled);
  expect(asked).toBeLessThan(filled + 4);
  body.destroy();
});
