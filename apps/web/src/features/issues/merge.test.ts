import { expect, test } from "vitest";
import { changedIn, mergeOf, type Written } from "./merge.ts";

const base: Written = { title: "a", description: "b" };

interface Case {
  readonly what: string;
  readonly mine?: Partial<Written>;
  readonly theirs?: Partial<Written>;
  readonly merged: Partial<Written>;
  readonly conflicts?: readonly string[];
  readonly onlyTheirs?: readonly string[];
}

const [title, description] = [{ title: "mine" }, { description: "mine" }];
const cases: readonly Case[] = [
  { what: "nobody changed anything", merged: {} },
  { what: "only I did", mine: title, merged: title },
  { what: "only they did", theirs: { title: "theirs" }, merged: { title: "theirs" }, onlyTheirs: ["title"] },
  {
    what: "each another field",
    mine: title,
    theirs: { description: "theirs" },
    merged: { title: "mine", description: "theirs" },
    onlyTheirs: ["description"],
  },
  { what: "both the same field", mine: title, theirs: { title: "theirs" }, merged: title, conflicts: ["title"] },
  { what: "both to the same", mine: title, theirs: title, merged: title },
  {
    what: "they emptied what I changed",
    mine: description,
    theirs: { description: "" },
    merged: description,
    conflicts: ["description"],
  },
];

test.each(cases)("nothing that somebody wrote goes without a word: $what", (given) => {
  const { mine, theirs, merged, conflicts = [], onlyTheirs = [] } = given;
  const all = mergeOf(base, { ...base, ...mine }, { ...base, ...theirs });
  expect(all).toEqual({ merged: { ...base, ...merged }, conflicts, theirs: onlyTheirs });
});

test("only what differs is sent", () => {
  expect(changedIn(base, base)).toEqual({});
  expect(changedIn(base, { title: "a", description: "" })).toEqual({ description: "" });
});
