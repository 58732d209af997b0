import { allOperations } from "@roster/contract";
import { expect, test } from "vitest";
import { operationOf } from "./operation-of.ts";

test("a proposed call is found again as the operation it is, with what its path names", () => {
  for (const { name, operation } of allOperations()) {
    const path = operation.path.replace(/:(\w+)/g, "some-$1");
    const found = operationOf({ method: operation.method, path });
    if (path.includes(".txt")) continue;
    expect(found?.named.operation.path, name).toBe(operation.path);
    for (const [param, value] of Object.entries(found?.params ?? {})) expect(value, name).toBe(`some-${param}`);
  }
});

test("what the contract does not have is nothing", () => {
  expect(operationOf({ method: "POST", path: "/api/elsewhere" })).toBeNull();
  expect(operationOf({ method: "DELETE", path: "/api/companies" })).toBeNull();
});
