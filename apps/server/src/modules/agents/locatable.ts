import type { Locatable } from "../../platform/locate.ts";
import { findAgentByUrlKey } from "./store.ts";
import { agentRevisions, agents } from "./table.ts";

/** Agents as paths name them: by id, or by urlKey inside a company. */
export const agentLocatable: Locatable = {
  kind: "agent",
  table: agents,
  id: agents.id,
  companyId: agents.companyId,
  isNamedInCompany: true,
  findByName: (db, name, companyId) =>
    companyId === null ? Promise.resolve(null) : findAgentByUrlKey(db, name, companyId),
};

/** Revisions of agents' configurations as paths name them. */
export const agentRevisionLocatable: Locatable = {
  kind: "agent_revision",
  table: agentRevisions,
  id: agentRevisions.id,
  companyId: agentRevisions.companyId,
};
