import type { Body, Contract, contract, SignedIn } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { Missing } from "../../platform/refusal.ts";
import { type BoardCaller, isLocalBoard, type Scope } from "../../platform/scope.ts";
import type { Accounts } from "./engine.ts";
import { presentSession, presentSignedIn } from "./present.ts";
import { findSession, listSessions, type Owner } from "./store.ts";

/** What coming in needs of the modules above. */
export interface AccountNeeds {
  readonly accounts: Accounts;
  /** Makes the first operator. */
  readonly claim: (scope: Scope, wish: Body<typeof contract.auth.claim>) => Promise<void>;
}

/** Operations on coming in and going out. */
export const authHandlers = ({ accounts, claim }: AccountNeeds): HandlersOf<Contract["auth"]> => ({
  signIn: async (scope, { body, connection }) => {
    const { caller, cookies } = await accounts.signIn(connection, body);
    return { cookies, body: await shown(scope, caller) };
  },
  claim: async (scope, { body, connection }) => {
    await claim(scope, body);
    const { caller, cookies } = await accounts.signIn(connection, { email: body.email, password: body.password });
    return { cookies, body: await shown(scope, caller) };
  },
  signOut: async (_scope, { connection }) => ({ cookies: await accounts.signOut(connection.cookie), body: undefined }),
  session: async (scope, { connection }) => {
    const caller = boardOf(scope);
    const prolonged = isLocalBoard(caller) ? null : await accounts.prolong(connection.cookie);
    return { cookies: prolonged?.cookies ?? [], body: await shown(scope, caller) };
  },
  listSessions: async (scope, { query: { limit, cursor } }) => {
    const caller = boardOf(scope);
    const page = { owner: ownerOf(caller), limit: limit + 1, before: decodeCursor(cursor, isId) };
    const rows = await listSessions(scope, page);
    const currentId = caller.signedIn?.sessionId ?? null;
    return pageOf(
      rows,
      limit,
      (row) => row.id,
      (row) => presentSession(row, currentId),
    );
  },
  revokeSession: async (scope, { params: { sessionId } }) => {
    const session = await findSession(scope, ownerOf(boardOf(scope)), sessionId);
    if (session === null) throw new Missing("session", sessionId);
    await accounts.endSession(session.token);
    return undefined;
  },
});

async function shown(scope: Scope, caller: BoardCaller): Promise<SignedIn> {
  const { signedIn, userId } = caller;
  const session = signedIn === undefined ? null : await findSession(scope, userId, signedIn.sessionId);
  return presentSignedIn(caller, session);
}

/** The permission table lets nobody else come here. */
function boardOf({ caller }: Scope): BoardCaller {
  if (caller.kind !== "board") throw new Error("an account was asked for by somebody who has none");
  return caller;
}

/** Who holds the machine may end everybody's sessions. */
const ownerOf = (caller: BoardCaller): Owner => (isLocalBoard(caller) ? null : caller.userId);
