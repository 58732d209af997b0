export { adoptCompanies, claimInstance } from "./claim-instance.ts";
export { invitationHandlers, memberHandlers } from "./handlers.ts";
export { invitationLocatable, memberLocatable } from "./locatable.ts";
