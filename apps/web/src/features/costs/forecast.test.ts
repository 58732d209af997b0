import { expect, test } from "vitest";
import { forecast } from "./forecast.ts";

const each = (from: number, to: number, costCents: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({
    day: `2026-11-${String(from + n).padStart(2, "0")}`,
    costCents,
  }));

test("spending that goes on as it was ends at as much a day for the whole month", () => {
  expect(forecast(each(1, 10, 100), "2026-11", "2026-11-11")).toBe(3000);
  expect(forecast(each(1, 29, 100), "2026-11", "2026-11-30")).toBe(3000);
});

test("only the last seven whole days count for what is to come, and days without spending count", () => {
  expect(forecast(each(1, 3, 700), "2026-11", "2026-11-11")).toBe(2100);
  expect(forecast(each(1, 4, 700), "2026-11", "2026-11-11")).toBe(2800 + 100 * 20);
});

test("a day that is dearer than the mean counts as what it cost already", () => {
  expect(forecast([...each(1, 10, 100), ...each(11, 11, 900)], "2026-11", "2026-11-11")).toBe(1000 + 900 + 1900);
});

test("there is none on the first day, for a month that is over, or for one to come", () => {
  expect(forecast(each(1, 1, 100), "2026-11", "2026-11-01")).toBeNull();
  expect(forecast(each(1, 30, 100), "2026-11", "2026-12-02")).toBeNull();
  expect(forecast([], "2026-12", "2026-11-30")).toBeNull();
  expect(forecast([], "2026-11", "2026-11-02")).toBe(0);
});
