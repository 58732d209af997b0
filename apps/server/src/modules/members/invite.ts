import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Missing, Refusal } from "../../platform/refusal.ts";
import { newToken } from "../../platform/token.ts";
import { findUserByEmail } from "../accounts/index.ts";
import { findRole } from "../companies/index.ts";
import { requireReach } from "./role-rule.ts";
import { closeInvitation, type InvitationRow, insertInvitation } from "./store.ts";

const goodDays = 7;

/** Invites a person. The token exists in the answer alone. */
export async function invite(
  change: Change,
  { email, role }: Body<typeof contract.invitations.create>,
): Promise<{ invitation: InvitationRow; token: string }> {
  await requireReach(change, role);
  const known = await findUserByEmail(change.db, email);
  if (known !== null && (await findRole(change.db, change.companyId, known.id)) !== null) {
    throw new Refusal("already_exists", "Somebody with this e-mail address is a member already.", {
      details: [{ path: "email", message: "is a member's" }],
    });
  }
  const { token, hash } = newToken("svi");
  const invitation = {
    companyId: change.companyId,
    id: newId(),
    email,
    role,
    hash,
    createdAt: change.now,
    expiresAt: new Date(change.now.getTime() + goodDays * 86_400_000),
    closedAt: null,
  };
  await insertInvitation(change, invitation);
  change.record("invitation.created", invitation.id, { email, role });
  return { invitation, token };
}

/** Takes an open invitation back: from the commit on its token opens nothing. */
export async function revokeInvitation(change: Change, id: string): Promise<void> {
  const closed = await closeInvitation(change, id);
  if (closed === null) throw new Missing("invitation", id);
  change.record("invitation.revoked", id, { email: closed.email, role: closed.role });
}
