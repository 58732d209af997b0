import { expect, test } from "vitest";
import { fileKind } from "./file-kind.ts";

test.each([
  ["SKILL.md", "skill"],
  ["docs/SKILL.md", "markdown"],
  ["README.MD", "markdown"],
  ["scripts/run", "script"],
  ["references/fetch.py", "script"],
  ["tools/build.mjs", "script"],
  ["references/guide.md", "reference"],
  ["assets/form.html", "asset"],
  ["logo.PNG", "asset"],
  ["data.csv", "other"],
  ["constructor", "other"],
])("%s is of the kind %s", (path, kind) => {
  expect(fileKind(path)).toBe(kind);
});
