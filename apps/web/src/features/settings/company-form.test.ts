import { expect, test } from "vitest";
import { changeOf, daysOf } from "./company-form.ts";

test("only what was edited is changed, and emptied texts are none", () => {
  expect(changeOf({})).toEqual({});
  expect(changeOf({ goal: "  ", name: "Acme" })).toEqual({ goal: null, name: "Acme" });
  expect(changeOf({ budget: "12.50", requiresApproval: false })).toEqual({
    budgetMonthlyCents: 1250,
    requireBoardApprovalForNewAgents: false,
  });
  expect(changeOf({ outputDays: "" })).toEqual({ runOutputDays: null });
});

test("an amount or a number of days that cannot be read changes nothing", () => {
  expect(changeOf({ budget: "a lot", name: "Acme" })).toBeNull();
  expect(changeOf({ outputDays: "soon" })).toBeNull();
  expect(daysOf("30")).toBe(30);
  expect(daysOf("-1")).toBeUndefined();
});
