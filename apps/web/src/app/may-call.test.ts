import { allOperations, permissions, type Role, roles } from "@roster/contract";
import { expect, test } from "vitest";
import type { OperationName } from "../api/operations.ts";
import { mayCall } from "./may-call.ts";

const may = (name: string, role: Role | null, isInstanceAdmin = false): boolean =>
  mayCall(name as OperationName, { role, isInstanceAdmin });

test("what is offered is what the permission table allows, for every operation and role", () => {
  for (const { name, operation } of allOperations()) {
    const { board } = permissions[operation.may];
    const needed = roles.indexOf(board as Role);
    for (const [rank, role] of roles.entries()) {
      const expected = needed === -1 ? board === "signedIn" : rank >= needed;
      expect(may(name, role), `${name} as ${role}`).toBe(expected);
    }
    expect(may(name, "viewer", true), name).toBe(board === "instanceAdmin" || may(name, "viewer"));
  }
});

test("while it is not known what somebody is, only what everybody may is offered", () => {
  expect(may("companies.create", null)).toBe(true);
  expect(may("issues.create", null)).toBe(false);
  expect(may("nothing.known", "owner")).toBe(false);
});
