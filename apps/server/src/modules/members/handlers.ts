import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import type { Scope } from "../../platform/scope.ts";
import { getMember, type Joining, listMembers, type MemberRow } from "../companies/index.ts";
import { type AcceptNeeds, acceptInvitation } from "./accept-invitation.ts";
import { changeMember, removeMember } from "./change-member.ts";
import { invite, revokeInvitation } from "./invite.ts";
import { presentInvitation, presentMember, presentMemberName, versionedMember } from "./present.ts";
import { getInvitation, listInvitations } from "./store.ts";

interface PageAsked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

function joiningOf(key: string | null): Joining | null {
  const [, time = "", userId = ""] = /^(\d{1,14}) (\S+)$/.exec(key ?? "") ?? [];
  return isId(userId) ? { createdAt: new Date(Number(time)), userId } : null;
}

async function pageOfMembers<T>(scope: Scope, { limit, cursor }: PageAsked, present: (row: MemberRow) => T) {
  const before = joiningOf(decodeCursor(cursor, (key) => joiningOf(key) !== null));
  const rows = await listMembers(scope, { limit: limit + 1, before });
  return pageOf(rows, limit, ({ createdAt, userId }) => `${createdAt.getTime()} ${userId}`, present);
}

/** Operations on the members of a company. */
export const memberHandlers: HandlersOf<Contract["members"]> = {
  list: (scope, { query }) => pageOfMembers(scope, query, presentMember),
  get: async (scope, { params }) => versionedMember(await getMember(scope, params.memberId)),
  change: async (change, { params, body, ifMatch }) =>
    versionedMember(await changeMember(change, params.memberId, body, ifMatch)),
  remove: async (change, { params }) => {
    await removeMember(change, params.memberId);
    return undefined;
  },
  listNames: (scope, { query }) => pageOfMembers(scope, query, presentMemberName),
  getName: async (scope, { params }) => presentMemberName(await getMember(scope, params.memberId)),
};

/** Operations on invitations. */
export const invitationHandlers = (needs: AcceptNeeds): HandlersOf<Contract["invitations"]> => ({
  list: async (scope, { query: { limit, cursor } }) => {
    const rows = await listInvitations(scope, { limit: limit + 1, before: decodeCursor(cursor, isId) });
    return pageOf(rows, limit, (row) => row.id, presentInvitation);
  },
  create: async (change, { body }) => {
    const { invitation, token } = await invite(change, body);
    return { ...presentInvitation(invitation), token };
  },
  get: async (scope, { params }) => presentInvitation(await getInvitation(scope, params.invitationId)),
  revoke: async (change, { params }) => {
    await revokeInvitation(change, params.invitationId);
    return undefined;
  },
  accept: (scope, { body, connection }) => acceptInvitation(needs, scope, body, connection),
});
