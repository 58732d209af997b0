import { instanceId } from "@roster/contract";
import { type ChangeHost, change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { noCause, type Scope } from "../../platform/scope.ts";
import { newToken } from "../../platform/token.ts";
import { insertRunner } from "./store.ts";

/** A runner that may work from now on; its token is shown this once. */
export interface RegisteredRunner {
  readonly id: string;
  readonly token: string;
}

/** Registers a runner that takes the runs of these companies, or of all. */
export async function registerRunner(
  host: ChangeHost,
  { name, companyIds = null }: { name: string; companyIds?: string[] | null },
): Promise<RegisteredRunner> {
  const now = new Date();
  const scope: Scope = {
    companyId: instanceId,
    caller: { kind: "system" },
    cause: noCause,
    db: host.database.reader,
    now,
    requestId: newId(),
  };
  return change(host, scope, async (opened) => {
    const { token, prefix, hash } = newToken("svr");
    const id = newId();
    await insertRunner(opened, { id, name, prefix, hash, companyIds, createdAt: now });
    opened.record("runner.registered", id, { name });
    return { id, token };
  });
}
