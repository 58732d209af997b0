import type { Change } from "../../platform/change.ts";
import { LostRace } from "../../platform/change.ts";
import { type Database, databaseFault } from "../../platform/database/index.ts";
import type { Connection } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { BoardCaller } from "../../platform/scope.ts";
import { adapterIn, adapterOn } from "./adapter-store.ts";
import { type Admission, type Auth, type AuthSettings, addressHeader, authOrigin, createAuth } from "./create-auth.ts";

/** A person who has just signed in or is signed in, and the cookies that say so. */
export interface Entrance {
  readonly caller: BoardCaller;
  readonly cookies: readonly string[];
}

/** An account to be made. */
export interface NewAccount {
  readonly name: string;
  readonly password: string;
  readonly isInstanceAdmin: boolean;
}

/** Signing in and out. Everything that touches passwords, cookies and sessions goes through here to better-auth. */
export interface Accounts {
  /** Who sends this cookie; null where nobody is signed in by it. */
  callerOf(cookie: string): Promise<BoardCaller | null>;
  /** The same, and keeps the session going: answers a cookie for it when a day has passed. */
  prolong(cookie: string): Promise<Entrance | null>;
  /** Refuses a wrong address or password alike, and who tries too often. */
  signIn(connection: Connection, given: { email: string; password: string }): Promise<Entrance>;
  /** Ends the session of a cookie; answers the cookies that clear it. */
  signOut(cookie: string): Promise<readonly string[]>;
  endSession(token: string): Promise<void>;
  /** Makes the one account that is admitted, in the transaction of a change, which records it. Answers its id. */
  open(change: Change, admission: Admission, account: NewAccount): Promise<string>;
  /** Removes sessions that have run out. */
  forgetEnded(now: Date): Promise<void>;
}

/** Signing in on a database. */
export function createAccounts(database: Database, settings: AuthSettings): Accounts {
  const auth = createAuth(adapterOn(database), settings);
  return {
    callerOf: async (cookie) => (await sessionOf(auth, cookie, true))?.caller ?? null,
    prolong: (cookie) => sessionOf(auth, cookie, false),
    signIn: (connection, given) => signIn(auth, connection, given),
    signOut: async (cookie) => {
      const { headers } = await auth.api.signOut({ headers: new Headers({ cookie }), returnHeaders: true });
      return headers.getSetCookie();
    },
    endSession: async (token) => (await auth.$context).internalAdapter.deleteSession(token),
    open: (change, admission, account) => open(createAuth(adapterIn(change), settings, admission), admission, account),
    forgetEnded: async (now) => {
      const ended = [{ field: "expiresAt", operator: "lt" as const, value: now }];
      await (await auth.$context).adapter.deleteMany({ model: "session", where: ended });
    },
  };
}

async function sessionOf(auth: Auth, cookie: string, disableRefresh: boolean): Promise<Entrance | null> {
  if (cookie === "") return null;
  const { headers, response } = await auth.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh },
    returnHeaders: true,
  });
  return response === null ? null : { caller: callerFrom(response), cookies: headers.getSetCookie() };
}

type Signed = NonNullable<Awaited<ReturnType<Auth["api"]["getSession"]>>>;

const callerFrom = ({ user, session }: Signed): BoardCaller => ({
  kind: "board",
  userId: user.id,
  signedIn: {
    sessionId: session.id,
    name: user.name,
    email: user.email,
    isInstanceAdmin: user.isInstanceAdmin === true,
  },
});

/** Through better-auth's own door, because only there tries are counted. */
async function signIn(auth: Auth, connection: Connection, given: object): Promise<Entrance> {
  const response = await auth.handler(
    new Request(`${authOrigin}/api/auth/sign-in/email`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": connection.userAgent,
        [addressHeader]: connection.address,
      },
      body: JSON.stringify(given),
    }),
  );
  if (response.status === 429) {
    throw new Refusal("rate_limited", "There were too many tries to sign in from this address. Wait a little.", {
      retryAfterSec: Number(response.headers.get("x-retry-after") ?? 60),
    });
  }
  if (response.status === 401) throw new Refusal("unauthenticated", "The e-mail address or the password is wrong.");
  if (!response.ok) throw new Error(`signing in failed with status ${response.status}`);
  const cookies = response.headers.getSetCookie();
  const entered = await sessionOf(auth, cookieOf(cookies), true);
  if (entered === null) throw new Error("a session that was just begun is not there");
  return { caller: entered.caller, cookies };
}

const cookieOf = (cookies: readonly string[]): string => cookies.map((cookie) => cookie.split(";")[0]).join("; ");

async function open(auth: Auth, { email }: Admission, account: NewAccount): Promise<string> {
  const { internalAdapter, password } = await auth.$context;
  const { name, isInstanceAdmin } = account;
  try {
    // The address is taken for good: whoever has the token was sent it there, or started the service.
    const person = { email, name, isInstanceAdmin, emailVerified: true };
    const user = await internalAdapter.createUser(person, { method: "email-password" });
    await internalAdapter.createAccount({
      userId: user.id,
      accountId: user.id,
      providerId: "credential",
      password: await password.hash(account.password),
    });
    return user.id;
  } catch (error) {
    // Somebody with this address was faster: begun again, the account is found.
    if (databaseFault(error)?.constraint === "users_email") throw new LostRace();
    throw error;
  }
}
