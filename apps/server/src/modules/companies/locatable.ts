import type { Locatable } from "../../platform/locate.ts";
import { companies } from "./table.ts";

/** Companies as paths name them. */
export const companyLocatable: Locatable = {
  kind: "company",
  table: companies,
  id: companies.id,
  companyId: companies.id,
};
