import type { Locatable } from "../../platform/locate.ts";
import { attention } from "./table.ts";

/** Calls for attention as paths name them. */
export const attentionLocatable: Locatable = {
  kind: "attention",
  table: attention,
  id: attention.id,
  companyId: attention.companyId,
};
