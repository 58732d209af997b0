import type { Body, contract, Member } from "@roster/contract";
import { type Change, type ChangeHost, change } from "../../platform/change.ts";
import type { Connection } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Caller, Scope } from "../../platform/scope.ts";
import { hashOf } from "../../platform/token.ts";
import { type Accounts, findUserByEmail } from "../accounts/index.ts";
import { getMember, insertMembership } from "../companies/index.ts";
import { presentMember } from "./present.ts";
import { recordUser } from "./record-user.ts";
import { closeInvitation, findByHash, type InvitationRow } from "./store.ts";

type Wish = Body<typeof contract.invitations.accept>;

/** What accepting needs. */
export interface AcceptNeeds {
  readonly host: ChangeHost;
  readonly accounts: Accounts;
}

/** What somebody who joined gets. */
export interface Joined {
  readonly cookies: readonly string[];
  readonly body: { readonly companyId: string; readonly member: Member };
}

/**
 * Lets the invited person in, once. Who has an account gives its password, which is tried and counted like any sign-in;
 * who has none gets one in the transaction that makes the membership.
 */
export async function acceptInvitation(
  { host, accounts }: AcceptNeeds,
  scope: Scope,
  wish: Wish,
  connection: Connection,
): Promise<Joined> {
  const invitation = await findByHash(scope.db, hashOf(wish.token), scope.now);
  if (invitation === null) throw unusable();
  const { companyId, email } = invitation;
  const given = { email, password: wish.password };
  const known = await findUserByEmail(scope.db, email);
  // Before anything is written: a wrong password leaves the invitation open.
  const entered = known === null ? null : await accounts.signIn(connection, given);
  const member = await change(host, { ...scope, companyId }, (opened) =>
    join(opened, invitation, known?.id ?? null, () => openAccount(opened, accounts, invitation, wish)),
  );
  const { cookies } = entered ?? (await accounts.signIn(connection, given));
  return { cookies, body: { companyId, member } };
}

async function join(
  opened: Change,
  invitation: InvitationRow,
  knownId: string | null,
  makeAccount: () => Promise<string>,
): Promise<Member> {
  const { companyId, id, email, role } = invitation;
  if ((await closeInvitation(opened, id)) === null) throw unusable();
  const userId = knownId ?? (await makeAccount());
  if (!(await insertMembership(opened, { companyId, userId, role }))) {
    throw new Refusal("already_exists", "You are a member of this company already.", {
      details: [{ path: "token", message: "invites who is a member" }],
    });
  }
  opened.record("invitation.accepted", id, { email, role }, { caller: personOf(userId) });
  return presentMember(await getMember(opened, userId));
}

async function openAccount(opened: Change, accounts: Accounts, { email }: InvitationRow, wish: Wish): Promise<string> {
  const { name, password } = wish;
  if (name === "") {
    throw new Refusal("invalid_request", "Give the name that others are to see.", {
      details: [{ path: "name", message: "is needed for a new account" }],
    });
  }
  if ((await findUserByEmail(opened.db, email)) !== null) {
    throw new Refusal("already_exists", "This account was made a moment ago; try again with its password.", {
      details: [{ path: "token", message: "invites who has an account by now" }],
    });
  }
  const userId = await accounts.open(opened, { email }, { name, password, isInstanceAdmin: false });
  recordUser(opened, userId, { name, how: "an invitation" });
  return userId;
}

const personOf = (userId: string): Caller => ({ kind: "board", userId });

const unusable = (): Refusal =>
  new Refusal("unauthenticated", "This invitation is not good: it was used, taken back, has expired or never existed.");
