import { expect, test } from "vitest";
import { centsOf, dollarsOf } from "./dollars.ts";

test.each([
  ["0", 0],
  ["25", 2500],
  ["12.5", 1250],
  ["12,05", 1205],
  [" $3 ", 300],
  ["", null],
  ["-1", null],
  ["1.005", null],
  ["a lot", null],
])("typed dollars are cents, exactly: %j", (typed, cents) => expect(centsOf(typed)).toBe(cents));

test("cents are shown as they would be typed", () => {
  for (const cents of [0, 1, 10, 99, 100, 1250, 900_000_000]) expect(centsOf(dollarsOf(cents))).toBe(cents);
});
