import {
  type CallerRule,
  contract,
  type Operation,
  permissions,
  type Role,
  roleAtLeast,
  roles,
} from "@roster/contract";
import type { OperationName } from "../api/operations.ts";

/** What a person is, where it matters for what the person may. */
export interface Standing {
  /** In the company that the page is about; null while that is not known. */
  readonly role: Role | null;
  readonly isInstanceAdmin: boolean;
}

/** Whether the permission table lets a person of this standing call an operation. Pure. */
export function mayCall(name: OperationName, { role, isInstanceAdmin }: Standing): boolean {
  const [resource = "", verb = ""] = name.split(".");
  // The name says which operation it is; a name that is of none is refused below.
  const declared = (contract as unknown as Record<string, Record<string, Operation>>)[resource]?.[verb];
  if (declared === undefined) return false;
  const { board }: CallerRule = permissions[declared.may];
  if (board === "never") return false;
  if (board === "instanceAdmin") return isInstanceAdmin;
  const needed = roles.find((known) => known === board);
  return needed === undefined || (role !== null && roleAtLeast(role, needed));
}
