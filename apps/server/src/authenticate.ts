import { timingSafeEqual } from "node:crypto";
import { type Health, localBoardUserId } from "@roster/contract";
import type { Accounts } from "./modules/accounts/index.ts";
import { authenticateKey } from "./modules/agent-keys/index.ts";
import { runnerAuthentication } from "./modules/runners/index.ts";
import { authenticateRun, companyOfRun } from "./modules/runs/index.ts";
import { type Bounds, usualBounds } from "./platform/bounds.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/index.ts";
import type { Purpose } from "./platform/http/index.ts";
import { Refusal } from "./platform/refusal.ts";
import type { Caller } from "./platform/scope.ts";
import type { Keys } from "./platform/secrets/index.ts";
import { hashOf } from "./platform/token.ts";

/** What credentials are checked against. */
export interface Authority {
  readonly mode: Health["mode"];
  readonly accounts: Accounts;
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  /** What a scraper of the metrics shows; not set: there is none. */
  readonly metricsToken: string | undefined;
  /** How much one cause may lead to; the usual, if not set. */
  readonly bounds?: Bounds | undefined;
}

/** What a request shows of who sends it. */
export interface Shown {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
}

const authenticateRunner = runnerAuthentication(companyOfRun);

/**
 * A request with a credential is its holder. Without one it is the local board in local trusted mode; in authenticated
 * mode it is the person whose session its cookie names, and else nobody.
 */
export async function authenticate(
  { mode, accounts, database: { reader }, keys, clock, metricsToken, bounds = usualBounds }: Authority,
  { authorization: header, cookie = "" }: Shown,
  { changes, runId }: Purpose,
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
  if (metricsToken !== undefined && isSame(token, metricsToken)) return { kind: "scraper" };
  if (token.startsWith("svr_")) return authenticateRunner(reader, token, runId);
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
    ? authenticateRun(reader, keys, token)
    : authenticateKey(reader, { token, now: clock(), bounds: changes ? bounds : null });
}

/** Takes as long for every wrong text: hashes are of one length and tell nothing of what they are of. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));
