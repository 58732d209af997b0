import { expect, test } from "vitest";
import { onceEach } from "./once-each.ts";

const issue = (id: string, updatedAt: string) => ({ id, updatedAt });

test("of what is in two lists the newer one stays where it is; everything else stays too", () => {
  const [old, fresh, other] = [issue("a", "2026-01-01"), issue("a", "2026-01-02"), issue("b", "2026-01-01")];
  expect(onceEach([old, other, null, fresh])).toEqual([other, null, fresh]);
  expect(onceEach([fresh, null, old])).toEqual([fresh, null]);
  expect(onceEach([old, { ...old }])).toEqual([old]);
  expect(onceEach([])).toEqual([]);
});
