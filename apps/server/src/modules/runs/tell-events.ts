import type { ToldEvent } from "@roster/contract";
import type { ChangeHost } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { upkeep } from "../../platform/upkeep.ts";
import { appendEvents, noteProgress } from "./event-store.ts";
import type { Speaker } from "./lease-store.ts";
import { lockOwnLease } from "./lease-store.ts";
import { staleLease } from "./require-lease.ts";

/** Stores what a run told of itself; what is stored already is left out. Refuses `stale_lease`. */
export async function tellEvents(
  { database, notifier }: ChangeHost,
  { companyId, now }: Scope,
  speaker: Speaker,
  told: readonly ToldEvent[],
): Promise<void> {
  await upkeep(database, async (keep) => {
    const lease = await lockOwnLease(keep, companyId, speaker);
    if (lease === null) throw staleLease();
    const run = { companyId, runId: speaker.runId, now };
    await noteProgress(keep, run, await appendEvents(keep, run, lease, told));
  });
  notifier.notify([speaker.runId]);
}
