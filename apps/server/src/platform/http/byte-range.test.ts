import { describe, expect, test } from "vitest";
import { rangeOf } from "./byte-range.ts";

describe("a Range header", () => {
  test.each([
    ["bytes=0-0", 10, { from: 0, to: 1 }],
    ["bytes=0-", 10, { from: 0, to: 10 }],
    ["bytes=3-5", 10, { from: 3, to: 6 }],
    ["bytes=9-", 10, { from: 9, to: 10 }],
    ["bytes=3-400", 10, { from: 3, to: 10 }],
    ["bytes=-3", 10, { from: 7, to: 10 }],
    ["bytes=-300", 10, { from: 0, to: 10 }],
    ["Bytes= 3-5 ", 10, { from: 3, to: 6 }],
  ])("%s of %i bytes is a part", (header, total, part) => {
    expect(rangeOf(header, total)).toEqual(part);
  });

  test.each([
    ["bytes=10-", 10],
    ["bytes=10-12", 10],
    ["bytes=-0", 10],
    ["bytes=0-", 0],
    ["bytes=0-5", 0],
  ])("%s of %i bytes is not there", (header, total) => {
    expect(rangeOf(header, total)).toBe("unsatisfiable");
  });

  test.each([
    [undefined, 10],
    ["", 10],
    ["bytes=", 10],
    ["bytes=-", 10],
    ["bytes=5-3", 10],
    ["bytes=0-1,3-4", 10],
    ["bytes=a-b", 10],
    ["bytes=1.5-3", 10],
    ["bytes=--3", 10],
    ["bytes=9999999999999999999-", 10],
    ["items=0-1", 10],
    ["0-1", 10],
    ["bytes=-5", 0],
  ])("%s of %i bytes is ignored", (header, total) => {
    expect(rangeOf(header, total)).toBeNull();
  });
});
