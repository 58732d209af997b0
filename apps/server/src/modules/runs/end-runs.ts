import type { Change } from "../../platform/change.ts";
import type { End } from "./end-under-way.ts";
import { type SettleNeeds, settleRun, unseen } from "./settle-run.ts";
import { listOpenRuns, lockRun } from "./store.ts";

/**
 * Ends every run of an agent or of the company for good, those that are queued too. What runs is fenced at once; its
 * runner hears of it and ends the program. For what will not run again: a terminated agent, an archived company.
 */
export async function settleOpenRuns(change: Change, needs: SettleNeeds, { agentId, why }: End): Promise<void> {
  // A run that ended while it was waited for may have left one that takes its place.
  for (let open = await listOpenRuns(change, agentId); open.length > 0; open = await listOpenRuns(change, agentId)) {
    for (const { id } of open) {
      const locked = await lockRun(change, id);
      await settleRun(change, needs, locked, { ended: unseen("cancelled", why) });
      if (locked.run.runnerId !== null) change.announce(locked.run.runnerId);
    }
  }
}
