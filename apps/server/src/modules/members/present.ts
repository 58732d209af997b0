import type { Invitation, Member, MemberName } from "@roster/contract";
import type { Versioned } from "../../platform/http/index.ts";
import type { MemberRow } from "../companies/index.ts";
import type { InvitationRow } from "./store.ts";

/** A stored membership as the API shows it. */
export const presentMember = (row: MemberRow): Member => ({
  id: row.userId,
  name: row.name,
  email: row.email,
  role: row.role,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A stored membership as everybody in the company may see it. */
export const presentMemberName = ({ userId, name, role }: MemberRow): MemberName => ({ id: userId, name, role });

/** A stored membership with the number of its ETag. */
export const versionedMember = (row: MemberRow): Versioned<Member> => ({
  version: row.version,
  body: presentMember(row),
});

/** A stored invitation as the API shows it. */
export const presentInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
