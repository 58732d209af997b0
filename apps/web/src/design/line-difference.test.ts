import { expect, test } from "vitest";
import { lineDifference } from "./line-difference.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

test.each([
  ["the same text", "a\nb\n", "a\nb\n", ""],
  ["nothing", "", "", ""],
  ["a new text", "", "a\nb", "+a\n+b"],
  ["a text that is gone", "a\n", "", "-a"],
  ["a line in the middle", "a\nb\nc", "a\nx\nc", " a\n-b\n+x\n c"],
  ["a line that moved", "a\nb\nc", "b\nc\na", "-a\n b\n c\n+a"],
  ["a line that comes again", "a", "a\na", " a\n+a"],
])("%s", (_, before, after, difference) => {
  expect(lineDifference(before, after)).toBe(difference);
});

test("what is far from every difference is left out, and that it is", () => {
  const before = numbered(20);
  const after = before.with(10, "another");
  expect(lineDifference(before.join("\n"), after.join("\n")).split("\n")).toEqual([
    "@@ …",
    ...[7, 8, 9].map((line) => ` line ${line}`),
    "-line 10",
    "+another",
    ...[11, 12, 13].map((line) => ` line ${line}`),
    "@@ …",
  ]);
});

test("texts that have too much to compare are replaced as a whole, at once", () => {
  const [before, after] = [numbered(5000), numbered(5000).map((line) => `${line}!`)];
  const lines = lineDifference(before.join("\n"), after.join("\n")).split("\n");
  expect(lines).toHaveLength(10_000);
  expect(lines.filter((line) => line.startsWith("-"))).toHaveLength(5000);
});
