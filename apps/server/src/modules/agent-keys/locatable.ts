import type { Locatable } from "../../platform/locate.ts";
import { agentKeys } from "./table.ts";

/** Agent keys as paths name them. */
export const agentKeyLocatable: Locatable = {
  kind: "agent_key",
  table: agentKeys,
  id: agentKeys.id,
  companyId: agentKeys.companyId,
};
