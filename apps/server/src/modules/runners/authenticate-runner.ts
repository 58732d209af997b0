import { timingSafeEqual } from "node:crypto";
import type { Reader } from "../../platform/database/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RunnerCaller } from "../../platform/scope.ts";
import { hashOf, prefixOf } from "../../platform/token.ts";
import { type CompanyOfRun, runnerFinder } from "./store.ts";

/**
 * The runner that holds this token, with the company of the run that its request names; refuses with 401 a token that was
 * never given out. One statement. `companyOfRun` is the company of the run `runId`.
 */
export function runnerAuthentication(companyOfRun: CompanyOfRun) {
  const findRunner = runnerFinder(companyOfRun);
  return async (db: Reader, token: string, runId: string | null): Promise<RunnerCaller> => {
    const prefix = prefixOf("svr", token);
    const [row] = prefix === null ? [] : await findRunner(db, { prefix, runId });
    if (row === undefined || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hashOf(token)))) {
      throw new Refusal("unauthenticated", "This runner token is not valid: it is misspelt or never existed.");
    }
    const { id: runnerId, name, companyIds, seenWith, runCompanyId } = row;
    return { kind: "runner", runnerId, name, companyIds, seenWith, runCompanyId };
  };
}
