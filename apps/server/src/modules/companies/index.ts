export { companyHandlers } from "./handlers.ts";
export { companyLocatable } from "./locatable.ts";
export {
  deleteMembership,
  findMemberName,
  findRole,
  getMember,
  hasMembers,
  insertMembership,
  type Joining,
  listMembers,
  listOwnerless,
  lockOwners,
  type MemberRow,
  makeOwner,
  updateRole,
} from "./membership-store.ts";
export { type CompanyRow, getCompany, lockCompany } from "./store.ts";
export { companies, memberships } from "./table.ts";
