export { claimSaltOf, claimToken, keepClaimLink } from "./claim-link.ts";
export { type Accounts, createAccounts } from "./engine.ts";
export { authHandlers } from "./handlers.ts";
export { sessionLocatable } from "./locatable.ts";
export { findAdmins, findUserByEmail, spendClaimSalt } from "./store.ts";
export { users } from "./table.ts";
