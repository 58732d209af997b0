export { companyHandlers } from "./handlers.ts";
export { companyLocatable } from "./locatable.ts";
export { type CompanyRow, getCompany, lockCompany } from "./store.ts";
export { companies } from "./table.ts";
