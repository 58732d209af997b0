import { expect, test } from "vitest";
import { changedIn, mergeOf, type Written } from "./merge.ts";

const base: Written = { title: "a", description: "b" };

test.each<[string, Partial<Written>, Partial<Written>, Partial<Written>, string[], string[]]>([
  ["nobody changed anything", {}, {}, {}, [], []],
  ["only I did", { title: "mine" }, {}, { title: "mine" }, [], []],
  ["only they did", {}, { title: "theirs" }, { title: "theirs" }, [], ["title"]],
  [
    "each another field",
    { title: "mine" },
    { description: "theirs" },
    { title: "mine", description: "theirs" },
    [],
    ["description"],
  ],
  ["both the same field", { title: "mine" }, { title: "theirs" }, { title: "mine" }, ["title"], []],
  ["both to the same", { title: "same" }, { title: "same" }, { title: "same" }, [], []],
  [
    "they emptied what I changed",
    { description: "mine" },
    { description: "" },
    { description: "mine" },
    ["description"],
    [],
  ],
])("nothing that somebody wrote goes without a word: %s", (_, mine, theirs, merged, conflicts, onlyTheirs) => {
  const all = mergeOf(base, { ...base, ...mine }, { ...base, ...theirs });
  expect(all).toEqual({ merged: { ...base, ...merged }, conflicts, theirs: onlyTheirs });
});

test("only what differs is sent", () => {
  expect(changedIn(base, base)).toEqual({});
  expect(changedIn(base, { title: "a", description: "" })).toEqual({ description: "" });
});
