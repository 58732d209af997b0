import { describe, expect, test } from "vitest";
import { mentionsIn } from "./mentions.ts";

describe("whom a comment mentions", () => {
  test.each([
    ["@ada", ["ada"]],
    ["Ask @Ada, @bo-2 and @ada.", ["ada", "bo-2"]],
    ["(@ada) **@bo**\n@cy's", ["ada", "bo", "cy"]],
    ["ada@example.com, a.b@ada, https://x.example/@ada", []],
    ["@ada@example.com @ada_2 @ @-ada", []],
    ["`@ada` and `x @bo`", []],
    ["before\n```sh\n@ada\n```\nafter @bo", ["bo"]],
    ["~~~\n@ada\n~~~~\n@bo\n```\n@cy", ["bo"]],
    ["a ` alone, then @ada", ["ada"]],
    ["", []],
  ])("%j", (markdown, expected) => expect(mentionsIn(markdown)).toEqual(expected));

  test("of very many only the first, and in no long time whatever the text", () => {
    expect(mentionsIn(Array.from({ length: 1000 }, (_, n) => `@a${n}`).join(" "))).toHaveLength(20);
    for (const part of ["@a-", "@a@", "`", "```\n", "~~~\n```\n", "@"]) {
      const begun = performance.now();
      mentionsIn(`${part.repeat(60_000 / part.length)}@`);
      expect(performance.now() - begun, part).toBeLessThan(1000);
    }
  });
});
