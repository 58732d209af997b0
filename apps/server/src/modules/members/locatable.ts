import type { Locatable } from "../../platform/locate.ts";
import { memberships } from "../companies/index.ts";
import { invitations } from "./table.ts";

/** Members as paths name them: who is a member of several companies is found in one of them. */
export const memberLocatable: Locatable = {
  kind: "member",
  table: memberships,
  id: memberships.userId,
  companyId: memberships.companyId,
  isShared: true,
};

/** Invitations as paths name them. */
export const invitationLocatable: Locatable = {
  kind: "invitation",
  table: invitations,
  id: invitations.id,
  companyId: invitations.companyId,
};
