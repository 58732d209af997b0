import type { RunOrder } from "@roster/contract";
import { ZodError } from "zod";
import { type ChangeHost, change } from "../../platform/change.ts";
import { databaseFault } from "../../platform/database/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { type Lease, lockRun, type SettleNeeds, settleRun, unseen } from "../runs/index.ts";
import { makeOrder, type OrderNeeds } from "./make-order.ts";

/** What handing out runs needs of the process. */
export interface HandOutNeeds extends OrderNeeds, SettleNeeds {
  readonly host: ChangeHost;
}

/**
 * The order of a run that is leased to the runner that asks; null when it is not any more. A run of which no order can
 * be made ends here: handed out again and again, it would keep its runner from all others.
 */
export async function handOut(
  scope: Scope,
  needs: HandOutNeeds,
  { companyId, runId, epoch }: Lease,
): Promise<RunOrder | null> {
  const there = { ...scope, companyId };
  try {
    return await makeOrder(there, needs, runId);
  } catch (error) {
    if (databaseFault(error) !== null) throw error;
    const message = `It could not be started with the configuration it has${reasonOf(error)}. Save it anew.`;
    await change(needs.host, there, async (opened) => {
      const locked = await lockRun(opened, runId);
      if (locked.run.epoch !== epoch || locked.run.runnerId === null) return;
      await settleRun(opened, needs, locked, { ended: unseen("adapter_misconfigured", message) });
    });
    return null;
  }
}

/** What may be told of what is wrong: places and rules, never what stands there. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return `: ${error.message}`;
  if (!(error instanceof ZodError)) return "";
  const [issue] = error.issues;
  return issue === undefined ? "" : `: ${issue.path.join(".")} ${issue.message}`;
}
