import type { Locatable } from "../../platform/locate.ts";
import { approvals } from "./table.ts";

/** Approvals as paths name them. */
export const approvalLocatable: Locatable = {
  kind: "approval",
  table: approvals,
  id: approvals.id,
  companyId: approvals.companyId,
};
