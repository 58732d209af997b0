import { describe, expect, test } from "vitest";
import { readFrontMatter } from "./front-matter.ts";

const read = (yaml: string) => readFrontMatter(`---\n${yaml}\n---\nText`, "SKILL.md");

/** Lines in which each is nine times the one before: three of them fit a bomb of billions. */
const bomb = [
  "a: &a [x, x, x, x, x, x, x, x, x]",
  ...Array.from({ length: 20 }, (_, n) => {
    const before = n === 0 ? "a" : `b${n - 1}`;
    return `b${n}: &b${n} [${Array(9).fill(`*${before}`).join(", ")}]`;
  }),
].join("\n");

describe("front matter that is read", () => {
  test.each([
    ["plain", "name: review\ndescription: Reviews code", "review", "Reviews code"],
    ["quoted", "name: \"review\"\ndescription: 'It''s: good'", "review", "It's: good"],
    ["folded", "name: review\ndescription: >-\n  one\n  two", "review", "one two"],
    ["with other fields", "license: MIT\nname: review\nmetadata:\n  a: [1, 2]\ndescription: d", "review", "d"],
    ["that looks like other types", "name: 007\ndescription: true", "007", "true"],
    ["with spaces in the name", "name: '  code   review '\ndescription: d", "code review", "d"],
    ["beyond Latin", "name: レビュー\ndescription: é", "レビュー", "é"],
    ["with a bomb that nobody looks at", `${bomb}\nname: review\ndescription: d`, "review", "d"],
    ["with an alias of nothing that nobody looks at", "x: *nobody\nname: review\ndescription: d", "review", "d"],
    ["with a tag for code", "name: !!js/function 'review'\ndescription: d", "review", "d"],
  ])("%s", (_, yaml, name, description) => {
    expect(read(yaml)).toEqual({ name, description });
  });

  test("after a byte order mark, with Windows line ends, without text below", () => {
    const text = "\uFEFF---\r\nname: review\r\ndescription: d\r\n---";
    expect(readFrontMatter(text, "SKILL.md")).toEqual({ name: "review", description: "d" });
  });
});

describe("front matter that is refused, with what is wrong", () => {
  test.each([
    ["an empty file", "", "must begin with front matter"],
    ["text only", "# Review\n", "must begin with front matter"],
    ["no end", "---\nname: review\ndescription: d\n", "that no line --- ends"],
    ["an end too far away", `---\nname: review\ndescription: ${"d".repeat(9000)}\n---\n`, "that no line --- ends"],
    ["nothing in it", "---\n---\n", "needs the text name:"],
    ["no name", "---\ndescription: d\n---\n", "needs the text name:"],
    ["an empty name", "---\nname:\ndescription: d\n---\n", "needs the text name:"],
    ["a list for a name", "---\nname: [a]\ndescription: d\n---\n", "needs the text name:"],
    ["an alias for a name", "---\nx: &x a\nname: *x\ndescription: d\n---\n", "needs the text name:"],
    ["no description", "---\nname: review\n---\n", "needs the text description:"],
    ["a list as a whole", "---\n- name: review\n---\n", "needs the text name:"],
    ["a name too long", `---\nname: ${"n".repeat(201)}\ndescription: d\n---\n`, "name of more than 200 characters"],
    ["a NUL by escape", '---\nname: "a\\0b"\ndescription: d\n---\n', "control character in its name"],
    ["half a pair by escape", '---\nname: a\ndescription: "\\uD800"\n---\n', "control character in its description"],
    ["a name twice", "---\nname: a\nname: b\ndescription: d\n---\n", "not YAML (DUPLICATE_KEY"],
    ["a colon in plain text", "---\nname: a\ndescription: Use when: ever\n---\n", "not YAML"],
    ["nesting without end", `---\nname: a\nx: ${"[".repeat(8000)}\n---\n`, "not YAML"],
  ])("%s", (_, text, message) => {
    expect(() => readFrontMatter(text, "files.SKILL.md")).toThrow(message);
    expect(() => readFrontMatter(text, "files.SKILL.md")).toThrow('"files.SKILL.md"');
  });
});
