import { type Role, roleAtLeast } from "@roster/contract";
import { Refusal } from "../../platform/refusal.ts";
import { isLocalBoard, type Scope } from "../../platform/scope.ts";
import { findRole } from "../companies/index.ts";

/** Nobody gives, changes or takes a role above their own. */
export async function requireReach({ db, caller, companyId }: Scope, ...roles: readonly Role[]): Promise<void> {
  if (caller.kind !== "board" || isLocalBoard(caller)) return;
  const own = await findRole(db, companyId, caller.userId);
  if (own !== null && roles.every((role) => roleAtLeast(own, role))) return;
  throw new Refusal("forbidden", `A member with the role ${own} has no say over a role above it; ask an owner.`);
}
