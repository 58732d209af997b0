import { timingSafeEqual } from "node:crypto";
import type { Reader } from "../../platform/database/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RunnerCaller } from "../../platform/scope.ts";
import { hashOf, prefixOf } from "../../platform/token.ts";
import { findRunnerByPrefix } from "./store.ts";

/** The runner that holds this token; refuses with 401 one that was never given out. */
export async function authenticateRunner(db: Reader, token: string): Promise<RunnerCaller> {
  const prefix = prefixOf("svr", token);
  const [row] = prefix === null ? [] : await findRunnerByPrefix(db, { prefix });
  if (row === undefined || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hashOf(token)))) {
    throw new Refusal("unauthenticated", "This runner token is not valid: it is misspelt or never existed.");
  }
  return { kind: "runner", runnerId: row.id, name: row.name, companyIds: row.companyIds, seenWith: row.seenWith };
}
