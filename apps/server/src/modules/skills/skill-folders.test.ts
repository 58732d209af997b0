import { describe, expect, test } from "vitest";
import { requireLimits, requirePath, skillFolders } from "./skill-folders.ts";

const filesAt = (...paths: string[]) => new Map(paths.map((path) => [path, Buffer.from(path)]));
const found = (...paths: string[]) => {
  const { skills, strays } = skillFolders(filesAt(...paths));
  return { skills: Object.fromEntries(skills.map(({ folder, files }) => [folder, [...files.keys()]])), strays };
};

describe("every folder with a SKILL.md is a skill", () => {
  test("the top one", () => {
    expect(found("SKILL.md", "a/b.txt")).toEqual({ skills: { "": ["SKILL.md", "a/b.txt"] }, strays: [] });
  });

  test("several beside each other, and what belongs to none is told", () => {
    expect(found("b/SKILL.md", "a/SKILL.md", "a/x/y", "README.md", "ab/c")).toEqual({
      skills: { a: ["SKILL.md", "x/y"], b: ["SKILL.md"] },
      strays: ["README.md", "ab/c"],
    });
  });

  test("one below another has its files to itself", () => {
    expect(found("SKILL.md", "x", "in/SKILL.md", "in/x", "in/deep/x")).toEqual({
      skills: { "": ["SKILL.md", "x"], in: ["SKILL.md", "deep/x", "x"] },
      strays: [],
    });
  });

  test("nothing else is", () => {
    expect(found("skill.md", "MY-SKILL.md", "a/SKILL.md.txt").skills).toEqual({});
  });
});

describe("paths that no folder of any machine could keep are refused", () => {
  test.each([
    ["", "must be relative"],
    ["/etc/passwd", "must be relative"],
    ["../SKILL.md", "must be relative"],
    ["a/../../SKILL.md", "must be relative"],
    ["a/./SKILL.md", "must be relative"],
    ["a//SKILL.md", "must be relative"],
    ["a/", "must be relative"],
    ["a\\..\\SKILL.md", "must be relative"],
    ["a\0b", "control character"],
    ["a\nb", "control character"],
    ["a/".repeat(250).concat("b"), "too long a name"],
    ["x".repeat(256), "too long a name"],
    ["漢".repeat(86), "too long a name"],
  ])("%j", (path, message) => {
    expect(() => requirePath(path, "files")).toThrow(message);
  });

  test.each(["SKILL.md", "a b/c-d_e.txt", "..hidden", "a/...", "漢".repeat(85)])("but not %s", (path) => {
    expect(() => requirePath(path, "files")).not.toThrow();
  });
});

describe("files that could not stand side by side on every machine are refused", () => {
  const limits = (...paths: string[]) => requireLimits({ folder: "", files: filesAt(...paths) }, "files");

  test.each([
    ["by case", ["SKILL.md", "a/Guide.md", "a/guide.md"]],
    ["by composition of a letter", ["\u00e9", "e\u0301"]],
    ["as file and as folder", ["SKILL.md", "a", "a/b/c"]],
    ["as file and as folder by case", ["A/b", "a/b/c", "SKILL.md"]],
  ])("the same %s", (_, paths) => {
    expect(() => limits(...paths)).toThrow(/one file on some machines|as a file and/);
  });

  test("but not 200 files of different names", () => {
    expect(() => limits(...Array.from({ length: 200 }, (_, n) => `a/${n}`))).not.toThrow();
    expect(() => limits(...Array.from({ length: 201 }, (_, n) => `a/${n}`))).toThrow("has 201 files");
  });
});
