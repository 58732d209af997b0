import { localBoardUserId } from "@roster/contract";
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
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
}

/** In local trusted mode a request without a credential is the local board; one with a credential is its holder. */
export async function authenticate(
  { database: { reader }, keys, clock }: Authority,
  header: string | undefined,
): Promise<Caller> {
  if (header === undefined) return { kind: "board", userId: localBoardUserId };
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new Refusal("unauthenticated", "The Authorization header must be: Bearer and a credential.");
  }
  if (token.startsWith("svr_")) return authenticateRunner(reader, token);
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
    ? authenticateRun(reader, keys, token)
    : authenticateKey(reader, token, clock());
}
