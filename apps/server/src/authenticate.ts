import { type Health, localBoardUserId } from "@roster/contract";
import type { Accounts } from "./modules/accounts/index.ts";
import { authenticateKey } from "./modules/agent-keys/index.ts";
import { authenticateRunner } from "./modules/runners/index.ts";
import { authenticateRun } from "./modules/runs/index.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/index.ts";
import { Refusal } from "./platform/refusal.ts";
import type { Caller } from "./platform/scope.ts";
import type { Keys } from "./platform/secrets/index.ts";

/** What credentials are checked against. */
export interface Authority {
  readonly mode: Health["mode"];
  readonly accounts: Accounts;
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
}

/** What a request shows of who sends it. */
export interface Shown {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
}

/**
 * A request with a credential is its holder. Without one it is the local board in local trusted mode; in authenticated
 * mode it is the person whose session its cookie names, and else nobody.
 */
export async function authenticate(
  { mode, accounts, database: { reader }, keys, clock }: Authority,
  { authorization: header, cookie = "" }: Shown,
): Promise<Caller> {
  if (header === undefined) {
    if (mode === "local_trusted") return { kind: "board", userId: localBoardUserId };
    const person = await accounts.callerOf(cookie);
    if (person !== null) return person;
    throw new Refusal("unauthenticated", "Nobody is signed in: sign in, or send Authorization: Bearer.", {
      fix: { method: "POST", path: "/api/auth/sign-in/email" },
    });
  }
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new Refusal("unauthenticated", "The Authorization header must be: Bearer and a credential.");
  }
  if (token.startsWith("svr_")) return authenticateRunner(reader, token);
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
    ? authenticateRun(reader, keys, token)
    : authenticateKey(reader, token, clock());
}
