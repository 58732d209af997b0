import { actions, contract } from "@roster/contract";
import { expect, test } from "vitest";
import { staleAfter } from "./refetch.ts";

test("every action of the log makes what it changed be asked anew, and the log itself", () => {
  for (const [action, { entity }] of Object.entries(actions)) {
    const stale = staleAfter([{ entityType: entity }]);
    expect(stale, action).toContain("activity");
    if (entity !== "master_key") expect(stale.size, action).toBeGreaterThan(1);
  }
});

// The state of the service and its documents, which no entry changes, and what is only sent.
const unseen = ["service", "discovery", "hires", "runners"];

test("every resource that can be read is asked anew after some action", () => {
  const kinds = Object.values(actions).map(({ entity }) => ({ entityType: entity }));
  const stale = staleAfter(kinds);
  expect(Object.keys(contract).filter((resource) => !stale.has(resource))).toEqual(unseen);
});

test("entries of many kinds ask for each resource once, and an unknown kind for the log alone", () => {
  const stale = staleAfter([{ entityType: "run" }, { entityType: "issue" }, { entityType: "run" }]);
  expect([...stale].sort()).toEqual(["activity", "agents", "issues", "runs"]);
  expect([...staleAfter([{ entityType: "of a newer service" }])]).toEqual(["activity"]);
});
