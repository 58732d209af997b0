import { actions } from "@roster/contract";
import { expect, test } from "vitest";
import { staleAfter } from "./refetch.ts";

test("every action of the log makes what it changed be asked anew, and the log itself", () => {
  for (const [action, { entity }] of Object.entries(actions)) {
    const stale = staleAfter([{ entityType: entity }]);
    expect(stale, action).toContain("activity");
    if (entity !== "master_key") expect(stale.size, action).toBeGreaterThan(1);
  }
});

test("entries of many kinds ask for each resource once, and an unknown kind for the log alone", () => {
  const stale = staleAfter([{ entityType: "run" }, { entityType: "issue" }, { entityType: "run" }]);
  expect([...stale].sort()).toEqual(["activity", "agents", "issues", "runs"]);
  expect([...staleAfter([{ entityType: "of a newer service" }])]).toEqual(["activity"]);
});
