import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDifferences } from "./text-difference.ts";

const between = (before: Record<string, string>, after: Record<string, string>) =>
  textDifferences(new Map(Object.entries(before)), new Map(Object.entries(after)));
/** The one difference between two states of one file. */
const of = (before: string, after: string) => between({ f: before }, { f: after })[0] ?? expect.fail("nothing differs");
const lines = (count: number, write: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${write(n)}\n`).join("");

describe("the difference of texts", () => {
  it("of a file that changed shows what goes and what comes, with three lines around it", () => {
    const before = lines(12, (n) => `line ${n}`);
    expect(of(before, before.replace("line 6", "line six"))).toEqual({
      path: "f",
      previousPath: null,
      isWhole: false,
      unified: [
        "--- f",
        "+++ f",
        "@@ -4,7 +4,7 @@",
        " line 3",
        " line 4",
        " line 5",
        "-line 6",
        "+line six",
        " line 7",
        " line 8",
        " line 9",
        "",
      ].join("\n"),
    });
  });

  it("of files that came, went, changed, stayed and were renamed lists each once, in the order of their paths", () => {
    const before = { gone: "old\n", changed: "a\n", stays: "same\n", "old name": "moved\n", empty: "" };
    const after = { fresh: "new\n", changed: "b\n", stays: "same\n", "new name": "moved\n", empty: "", blank: "" };
    expect(between(before, after).map(({ path, previousPath, unified }) => [path, previousPath, unified])).toEqual([
      ["blank", null, "--- /dev/null\n+++ blank\n"],
      ["changed", null, "--- changed\n+++ changed\n@@ -1,1 +1,1 @@\n-a\n+b\n"],
      ["fresh", null, "--- /dev/null\n+++ fresh\n@@ -0,0 +1,1 @@\n+new\n"],
      ["gone", null, "--- gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-old\n"],
      ["new name", "old name", "--- old name\n+++ new name\n"],
    ]);
  });

  it("of two files that are renamed to the same text uses each old name once; one that changed, too, came and went", () => {
    const renamed = between({ a: "x\n", b: "x\n", c: "y\n" }, { d: "x\n", e: "x\n", f: "z\n" });
    expect(renamed.map(({ path, previousPath }) => [path, previousPath])).toEqual([
      ["c", null],
      ["d", "a"],
      ["e", "b"],
      ["f", null],
    ]);
  });

  it("says where the last line has no end", () => {
    expect(of("a\nb", "a\nb\n").unified).toBe(
      "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
    );
    expect(between({}, { f: "only" })[0]?.unified).toBe(
      "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+only\n\\ No newline at end of file\n",
    );
  });

  it("keeps the ends of lines as they are: another end is a change", () => {
    expect(of("a\r\nb\r\n", "a\r\nc\r\n").unified).toBe("--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
    expect(of("a\r\n", "a\n").unified).toBe("--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\r\n+a\n");
  });

  it("writes a name that would break the lines of a header as git does", () => {
    expect(between({}, { 'a\n+++ "b"': "x\n" })[0]?.unified).toMatch(
      /^--- \/dev\/null\n\+\+\+ "a\\n\+\+\+ \\"b\\""\n@@/,
    );
  });

  it("applied to the one text gives the other, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "a\r", "+c", "-d", "@@ e", "\\ No newline at end of file"), {
      maxLength: 30,
    });
    const whole = fc.tuple(text, fc.boolean()).map(([parts, ends]) => parts.join("\n") + (ends ? "\n" : ""));
    fc.assert(
      fc.property(whole, whole, (before, after) => {
        const [difference] = between({ f: before }, { f: after });
        if (before === after) expect(difference).toBeUndefined();
        else expect(applyPatch(before, difference?.unified ?? "", { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});

describe("texts that cannot be compared in bounded time", () => {
  const half = 262_144;
  const hostile: readonly (readonly [string, string, string])[] = [
    ["all lines different", lines(40_000, (n) => `a${n}`), lines(40_000, (n) => `b${n}`)],
    [
      "two letters in any order",
      lines(half / 2, (n) => "ab"[((n * 7919) % 13) % 2] ?? ""),
      lines(half / 2, (n) => "ab"[((n * 104_729) % 17) % 2] ?? ""),
    ],
    [
      "the same line over and over, shifted",
      lines(half / 2, () => "a"),
      `${"b\n".repeat(9)}${lines(half / 2, () => "a")}${"c\n".repeat(5000)}`,
    ],
    [
      "long lines with one beginning",
      lines(700, (n) => "z".repeat(700) + n),
      lines(700, (n) => "z".repeat(700) + (n + 10_000)),
    ],
    ["one line", "x".repeat(half), "y".repeat(half)],
  ];

  it.each(hostile)("%s: come in the end, and whole where it is too much", (_, before, after) => {
    const since = performance.now();
    const { unified, isWhole } = of(before, after);
    // Quadratic would be minutes.
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(unified.length).toBeLessThan(2 * (before.length + after.length) + 100);
    if (!isWhole) return;
    expect(unified.split("\n").filter((line) => line.startsWith("-")).length - 1).toBe(before.split("\n").length - 1);
    expect(applyPatch(before, unified)).toBe(after);
  });

  it("of many files together cost as much as one, and always the same", () => {
    const files = (letter: string) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, file) => [`f${file}`, lines(1000, (n) => `${letter}${n}`)]));
    const since = performance.now();
    const differing = between(files("a"), files("b"));
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(differing).toHaveLength(100);
    const whole = differing.filter(({ isWhole }) => isWhole).length;
    expect(whole).toBeGreaterThan(90);
    expect(between(files("a"), files("b"))).toEqual(differing);
  });

  it("that differ in little are compared, however long they are", () => {
    const before = lines(60_000, (n) => `line ${n}`);
    const { unified, isWhole } = of(before, before.replace("line 30000\n", "another\n"));
    expect(isWhole).toBe(false);
    expect(unified.split("\n")).toHaveLength(12);
  });
});
