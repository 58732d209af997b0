import type { Locatable } from "../../platform/locate.ts";
import { identifierOf } from "./identifier.ts";
import { findIssueByIdentifier } from "./store.ts";
import { issues } from "./table.ts";

/** Issues as paths name them: by id, or by identifier, whose first part says the company. */
export const issueLocatable: Locatable = {
  kind: "issue",
  table: issues,
  id: issues.id,
  companyId: issues.companyId,
  findByName: async (db, name, companyId) => {
    const identifier = identifierOf(name);
    return identifier === null ? null : findIssueByIdentifier(db, identifier, companyId);
  },
};
