import { expect, test } from "vitest";
import { daysOf, monthAfter, monthIn, monthOf, nameOf } from "./month.ts";

test("a month begins and ends in UTC, also in leap years and over the year's end", () => {
  expect(monthOf(new Date("2026-12-31T23:59:59.999Z"))).toBe("2026-12");
  expect(daysOf("2028-02")).toEqual({ from: "2028-02-01", to: "2028-02-29" });
  expect(daysOf("2026-12")).toEqual({ from: "2026-12-01", to: "2026-12-31" });
  expect(monthAfter("2026-12", 1)).toBe("2027-01");
  expect(monthAfter("2026-01", -1)).toBe("2025-12");
  expect(nameOf("2026-11")).toBe("November 2026");
});

test.each([
  ["2026-10", "2026-10"],
  ["2026-12", "2026-11"],
  ["2026-13", "2026-11"],
  ["1999-01", "2026-11"],
  ["soon", "2026-11"],
  [undefined, "2026-11"],
])("an address that says %s shows %s", (given, month) => expect(monthIn(given, "2026-11")).toBe(month));
