import { instanceId } from "@roster/contract";
import { type Change, type ChangeHost, change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { noCause, type Scope } from "../../platform/scope.ts";
import { newToken } from "../../platform/token.ts";
import { insertRunner } from "./store.ts";

/** A runner that may work from now on; its token is shown this once. */
export interface RegisteredRunner {
  readonly id: string;
  readonly token: string;
}

/** What is to be registered: a runner that takes the runs of these companies, or of all. */
export interface NewRunner {
  readonly name: string;
  readonly companyIds?: readonly string[] | null;
}

/** Registers a runner without anybody asking for it. */
export async function registerRunner(host: ChangeHost, wish: NewRunner): Promise<RegisteredRunner> {
  const now = new Date();
  const scope: Scope = {
    companyId: instanceId,
    caller: { kind: "system" },
    cause: noCause,
    db: host.database.reader,
    now,
    requestId: newId(),
  };
  return change(host, scope, (opened) => addRunner(opened, wish));
}

/** Adds a runner. The token exists in the answer alone. */
export async function addRunner(change: Change, { name, companyIds = null }: NewRunner): Promise<RegisteredRunner> {
  const { token, prefix, hash } = newToken("svr");
  const id = newId();
  await insertRunner(change, { id, name, status: "active", prefix, hash, companyIds, createdAt: change.now });
  change.record("runner.registered", id, { name });
  return { id, token };
}
