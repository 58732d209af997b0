import { expect, test } from "vitest";
import { z } from "zod";
import type { Refusal } from "./refusal.ts";
import { checked } from "./schema-check.ts";

const form = z.strictObject({
  id: z.uuid().optional(),
  at: z.iso.datetime().optional(),
  day: z.iso.date().optional(),
  email: z.email().optional(),
  count: z.int().min(2).max(9).optional(),
  text: z.string().min(1).max(3).optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/, "must be small letters")
    .optional(),
  choice: z.enum(["north", "south"]).optional(),
  files: z
    .record(
      z.string().refine((name) => !name.includes(".."), "must stay inside"),
      z.string(),
    )
    .optional(),
});

function refusalOf(value: unknown): Refusal {
  try {
    checked(form, value);
  } catch (error) {
    return error as Refusal;
  }
  return expect.fail("was not refused");
}

test.each([
  [{ id: "x" }, "id", "must be a UUID"],
  [{ at: "tomorrow" }, "at", "must be a time in UTC, such as 2026-01-31T12:00:00.000Z"],
  [{ day: "2026-02-30" }, "day", "must be a day, such as 2026-01-31"],
  [{ email: "ada" }, "email", "must be an e-mail address"],
  [{ count: 2.5 }, "count", "must be an integer"],
  [{ count: 1 }, "count", "must be at least 2"],
  [{ count: 10 }, "count", "must be at most 9"],
  [{ text: "" }, "text", "must not be empty"],
  [{ text: "four" }, "text", "must be at most 3 characters long"],
  [{ text: 4 }, "text", "must be a string"],
  [{ code: "A" }, "code", "must be small letters"],
  [{ files: { "../x": "" } }, "files.../x", "has a name that is not good: it must stay inside"],
])("P14: what would be right is said: %j", (value, path, message) => {
  const refusal = refusalOf(value);
  expect(refusal.message).toBe(`"${path}" ${message}.`);
  expect(refusal.details).toEqual([{ path, message }]);
});

test("P14: a misspelt field or choice comes with what it can be and the nearest", () => {
  expect(refusalOf({ cout: 1 }).details).toMatchObject([{ path: "cout", nearest: "count" }]);
  expect(refusalOf({ choice: "nort" }).details).toEqual([
    { path: "choice", message: "is not one of the 2 allowed values", allowed: ["north", "south"], nearest: "north" },
  ]);
});
