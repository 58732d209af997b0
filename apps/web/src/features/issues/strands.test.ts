import { issueStatuses } from "@roster/contract";
import { expect, test } from "vitest";
import { strandsOf } from "./strands.ts";

test("an order is lists of the service, one after the other, which have every issue once", () => {
  expect(strandsOf({ q: "x" }, "newest")).toEqual([{ q: "x" }]);
  expect(strandsOf({ status: "todo" }, "priority")).toEqual([
    { status: "todo", priority: "critical" },
    { status: "todo", priority: "high" },
    { status: "todo", priority: "medium" },
    { status: "todo", priority: "low" },
  ]);
  expect(strandsOf({ priority: "low" }, "priority")).toEqual([{ priority: "low" }]);
  expect(strandsOf({ status: "done,todo" }, "status")).toEqual([{ status: "todo" }, { status: "done" }]);
  const statuses = strandsOf({}, "status").map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...issueStatuses].sort());
});
