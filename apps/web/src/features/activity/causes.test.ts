import { expect, test } from "vitest";
import { placeCauses } from "./causes.ts";

const entry = (seq: number, cause: number | null) => ({ seq, cause: { seq: cause, rootSeq: 1, hops: 0 } });
const shown = (entries: readonly ReturnType<typeof entry>[], chosen: number): string[] =>
  placeCauses(entries, chosen).map(
    ({ entry: { seq }, depth, parentRow, isOnPath }) => `${"-".repeat(depth)}${seq}<${parentRow}${isOnPath ? "*" : ""}`,
  );

test("each stands below what caused it, in the order in which they happened, and the path to one is marked", () => {
  const entries = [entry(7, 3), entry(1, null), entry(2, 1), entry(3, 1), entry(4, 2), entry(9, 4)];
  expect(shown(entries, 4)).toEqual(["1<null*", "-2<0*", "--4<1*", "---9<2", "-3<0", "--7<4"]);
});

test("what is caused by something that was not read stands at the top, and nothing is in it twice", () => {
  expect(shown([entry(5, 4), entry(6, 5), entry(5, 4)], 6)).toEqual(["5<null*", "-6<0*"]);
  expect(shown([], 1)).toEqual([]);
});

test("what names no cause but began with something else stands below that", () => {
  expect(shown([entry(1, null), entry(2, null), entry(3, 2)], 3)).toEqual(["1<null*", "-2<0*", "--3<1*"]);
});
