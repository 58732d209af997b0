import { localBoardUserId, type Person, type Session, type SignedIn } from "@roster/contract";
import type { BoardCaller } from "../../platform/scope.ts";
import type { SessionRow } from "./store.ts";

/** A stored session as the API shows it; its token is shown to nobody. */
export const presentSession = (row: SessionRow, currentId: string | null): Session => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  ipAddress: row.ipAddress || null,
  userAgent: row.userAgent || null,
  current: row.id === currentId,
});

const localPerson: Person = { id: localBoardUserId, name: "The board", email: null, isInstanceAdmin: true };

/** A caller as the API shows who is signed in. */
export function presentSignedIn({ userId, signedIn }: BoardCaller, session: SessionRow | null): SignedIn {
  if (signedIn === undefined) return { user: localPerson, session: null };
  const { name, email, isInstanceAdmin, sessionId } = signedIn;
  return {
    user: { id: userId, name, email, isInstanceAdmin },
    session: session === null ? null : presentSession(session, sessionId),
  };
}
