import { expect, it } from "vitest";
import { nextDelayMs } from "../src/backoff.ts";

it.each([
  { name: "the first time after half a second", previousMs: 0, livedMs: 10, delayMs: 500 },
  { name: "the second time in a row after twice as long", previousMs: 500, livedMs: 10, delayMs: 1000 },
  { name: "at the longest after ten seconds", previousMs: 8000, livedMs: 10, delayMs: 10_000 },
  { name: "for ever after ten seconds", previousMs: 10_000, livedMs: 29_999, delayMs: 10_000 },
  {
    name: "after half a second again when it has lived for a while",
    previousMs: 10_000,
    livedMs: 30_000,
    delayMs: 500,
  },
])("a process is started again $name", ({ previousMs, livedMs, delayMs }) => {
  expect(nextDelayMs(previousMs, livedMs)).toBe(delayMs);
});
