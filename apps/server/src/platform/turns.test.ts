import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const calm = new AbortController().signal;

test("never more at once than the limit, in the order in which they came, also after one that fails", async () => {
  const turns = createTurns(2);
  const started: number[] = [];
  let under = 0;
  let most = 0;
  const work = async (n: number): Promise<void> => {
    started.push(n);
    under += 1;
    most = Math.max(most, under);
    await new Promise(setImmediate);
    under -= 1;
    if (n === 1) throw new Error("one fails");
  };
  const done = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => turns.take(calm, () => work(n))));
  expect(done.map(({ status }) => status)).toEqual(
    Array.from({ length: 10 }, (_, n) => (n === 1 ? "rejected" : "fulfilled")),
  );
  expect([most, started]).toEqual([2, Array.from({ length: 10 }, (_, n) => n)]);
});

test("who gives up while waiting takes no turn from the next", async () => {
  const turns = createTurns(1);
  const controller = new AbortController();
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = turns.take(calm, () => held);
  const second = turns.take(controller.signal, () => expect.fail("had its turn"));
  const third = turns.take(calm, async () => "third");
  controller.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  await expect(turns.take(controller.signal, async () => 0)).rejects.toThrow("gone");
  finish();
  await first;
  expect(await third).toBe("third");
});
