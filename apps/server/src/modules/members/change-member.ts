import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import { Refusal } from "../../platform/refusal.ts";
import { deleteMembership, getMember, lockMembership, type MemberRow, updateRole } from "../companies/index.ts";
import { requireReach } from "./role-rule.ts";

/** Gives a member another role; from the commit on it counts on every server. */
export async function changeMember(
  change: Change,
  memberId: string,
  { role }: Body<typeof contract.members.change>,
  ifMatch: number | null,
): Promise<MemberRow> {
  const owners = await lockMembership(change, memberId);
  const member = await getMember(change, memberId);
  requireVersion(member.version, ifMatch);
  if (role === undefined || role === member.role) return member;
  await requireReach(change, member.role, role);
  requireAnotherOwner(member, owners);
  const { name, role: from } = member;
  change.record("member.changed", memberId, { name, from, to: role });
  return updateRole(change, member, role);
}

/** Removes a member; from the commit on it sees nothing of the company. */
export async function removeMember(change: Change, memberId: string): Promise<void> {
  const owners = await lockMembership(change, memberId);
  const member = await getMember(change, memberId);
  await requireReach(change, member.role);
  requireAnotherOwner(member, owners);
  await deleteMembership(change, memberId);
  change.record("member.removed", memberId, { name: member.name, role: member.role });
}

function requireAnotherOwner({ role }: MemberRow, owners: number): void {
  if (role !== "owner" || owners > 1) return;
  throw new Refusal("wrong_state", "This is the last owner of the company; make somebody else an owner first.", {
    details: [{ path: "role", message: "is the last owner" }],
  });
}
