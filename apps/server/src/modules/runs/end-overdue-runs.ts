import { type ChangeHost, change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { listOverdue } from "./queue-store.ts";
import { type SettleNeeds, settleRun, unseen } from "./settle-run.ts";
import { lockRun } from "./store.ts";

const mostAtOnce = 100;

/** Ends what has waited in the queue for longer than its agent allows. One that cannot be ended keeps no other from it. */
export async function endOverdueRuns(host: ChangeHost, scope: Scope, needs: SettleNeeds): Promise<void> {
  const faults: unknown[] = [];
  for (const { companyId, runId, limitSec } of await listOverdue(scope.db, mostAtOnce)) {
    const message = `It waited in the queue for longer than ${limitSec} seconds (runtimeConfig.queueTimeoutSec).`;
    await change(host, { ...scope, companyId }, async (opened) => {
      const locked = await lockRun(opened, runId);
      if (locked.run.status !== "queued") return;
      await settleRun(opened, needs, locked, { ended: unseen("timed_out", message) });
    }).catch((error: unknown) => faults.push(error));
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} overdue runs could not be ended`);
}
