import { type Role, roleAtLeast, roles } from "@roster/contract";

/** The roles that somebody of this role has a say over: none above the own. Pure. */
export const rolesWithin = (own: Role | null): readonly Role[] =>
  roles.filter((role) => own !== null && roleAtLeast(own, role));
