export { changeCompany } from "./change-company.ts";
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
  lockMembership,
  type MemberRow,
  makeOwner,
  updateRole,
} from "./membership-store.ts";
export { type CompanyRow, getCompany, lockCompany } from "./store.ts";
export { companies, memberships } from "./table.ts";
