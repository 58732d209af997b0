import { expect, test } from "vitest";
import { titleOf } from "./title-of.ts";

test.each([
  ["Ship rockets.", "Ship rockets."],
  ["Ship rockets. Then sell them.", "Ship rockets."],
  ["  Ship v1.2\nand more", "Ship v1.2"],
  ["a".repeat(300), `${"a".repeat(199)}…`],
])("the title of the first issue is the first sentence of the goal", (goal, title) => {
  expect(titleOf(goal)).toBe(title);
});
