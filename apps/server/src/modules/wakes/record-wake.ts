import type { JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { insertWake, type WakeRow } from "./store.ts";

/** Why an agent should run. `causeId` is the entry of the log that led to it. */
export interface Wake {
  readonly agentId: string;
  readonly source: WakeRow["source"];
  readonly reason: string;
  readonly causeId: string;
  readonly issueId?: string | null;
  readonly approvalId?: string | null;
  readonly payload?: JsonObject;
}

/** Records that an agent should run, in the transaction of what caused it. Pending and terminated agents get none. */
export function recordWake(change: Change, wake: Wake): Promise<void> {
  return insertWake(change, {
    companyId: change.companyId,
    id: newId(),
    issueId: null,
    approvalId: null,
    payload: {},
    ...wake,
    createdAt: change.now,
  });
}
