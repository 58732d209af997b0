import type { Locatable } from "../../platform/locate.ts";
import { secrets } from "./table.ts";

/** Secrets as paths name them. */
export const secretLocatable: Locatable = {
  kind: "secret",
  table: secrets,
  id: secrets.id,
  companyId: secrets.companyId,
};
