import { z } from "zod";
import { email, entryToken, newPassword } from "./auth.ts";
import { id, name, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";
import { roles } from "./permissions.ts";

const role = z.enum(roles);

/** A person in a company. Its id is that of the person. */
export const member = z
  .object({ id, name: z.string(), email: z.string(), role, createdAt: time, updatedAt: time })
  .meta({ id: "Member" });
/** A member as the API answers it. */
export type Member = z.infer<typeof member>;

/** A person in a company as everybody there knows it: without its address. Its id is that of the person. */
export const memberName = z.object({ id, name: z.string(), role }).meta({ id: "MemberName" });
/** A member as everybody in the company knows it. */
export type MemberName = z.infer<typeof memberName>;

/** An invitation that is still open. */
export const invitation = z
  .object({ id, email: z.string(), role, createdAt: time, expiresAt: time })
  .meta({ id: "Invitation" });
/** An invitation as lists show it. */
export type Invitation = z.infer<typeof invitation>;

const createdInvitation = invitation.extend({
  token: z
    .string()
    .nullable()
    .describe("What the invited person comes in with, shown this once; null when a late replay can no longer show it"),
});

/** Operations on the members of a company. */
export const members = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/members",
    summary: "People of a company with their roles, newest first",
    may: "member.manage",
    query: pageQuery({}),
    answer: { kind: "page", schema: member },
  },
  get: {
    method: "GET",
    path: "/api/companies/:companyId/members/:memberId",
    summary: "Read one member",
    may: "member.manage",
    answer: { kind: "record", schema: member, versioned: true },
  },
  change: {
    method: "PATCH",
    path: "/api/companies/:companyId/members/:memberId",
    summary: "Give a member another role",
    may: "member.manage",
    body: z.strictObject({ role }).partial(),
    answer: { kind: "record", schema: member, versioned: true },
    refusals: ["wrong_state", "stale_revision"],
  },
  remove: {
    method: "DELETE",
    path: "/api/companies/:companyId/members/:memberId",
    summary: "Remove a member from the company, at once; the last owner stays",
    may: "member.manage",
    answer: { kind: "nothing" },
    refusals: ["wrong_state"],
  },
  listNames: {
    method: "GET",
    path: "/api/companies/:companyId/people",
    summary: "Names and roles of the people of a company, newest first, without their addresses",
    may: "member.read",
    query: pageQuery({}, 200),
    answer: { kind: "page", schema: memberName },
  },
  getName: {
    method: "GET",
    path: "/api/companies/:companyId/people/:memberId",
    summary: "Name and role of one of them; who asks with their own id learns what they may here",
    may: "member.read",
    answer: { kind: "record", schema: memberName },
  },
});

/** Operations on invitations to a company. */
export const invitations = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/invitations",
    summary: "Open invitations",
    may: "member.manage",
    query: pageQuery({}),
    answer: { kind: "page", schema: invitation },
  },
  create: {
    method: "POST",
    path: "/api/companies/:companyId/invitations",
    summary: "Invite a person with a role; the token is shown this once and is good for seven days",
    may: "member.manage",
    body: z.strictObject({ email, role }),
    answer: { kind: "created", at: "/api/companies/:companyId/invitations/:id", schema: createdInvitation },
    refusals: ["already_exists"],
    revealsOnce: "token",
  },
  get: {
    method: "GET",
    path: "/api/companies/:companyId/invitations/:invitationId",
    summary: "Read an open invitation",
    may: "member.manage",
    answer: { kind: "record", schema: invitation },
  },
  revoke: {
    method: "DELETE",
    path: "/api/companies/:companyId/invitations/:invitationId",
    summary: "Take an open invitation back at once",
    may: "member.manage",
    answer: { kind: "nothing" },
  },
  accept: {
    method: "POST",
    path: "/api/invitations/accept",
    summary: "Join with an invitation's token: chooses a password, or gives that of the account there is; signs in",
    may: "account.enter",
    body: z.strictObject({
      token: entryToken,
      name: name.default("").describe("Needed where there is no account yet"),
      password: newPassword,
    }),
    answer: { kind: "record", schema: z.object({ companyId: id, member }) },
    refusals: ["unauthenticated", "already_exists", "rate_limited"],
    machinery: true,
    setsCookies: true,
  },
});
