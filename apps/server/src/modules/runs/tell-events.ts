import type { ToldEvent } from "@roster/contract";
import { type ChangeHost, change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { upkeep } from "../../platform/upkeep.ts";
import type { Prices } from "../costs/index.ts";
import { appendEvents, noteProgress } from "./event-store.ts";
import { lockOwnLease, type Speaker } from "./lease-store.ts";
import { staleLease } from "./require-lease.ts";
import { lockRun } from "./store.ts";
import { storeMetered } from "./store-metered.ts";

/** What storing events needs of the process. */
export interface TellNeeds {
  readonly host: ChangeHost;
  /** What usage costs. */
  readonly prices: Prices;
}

/**
 * Stores what a run told of itself, and books what it used; what is stored already is left out. Refuses `stale_lease`.
 */
export async function tellEvents(
  needs: TellNeeds,
  scope: Scope,
  speaker: Speaker,
  told: readonly ToldEvent[],
): Promise<void> {
  const hasUsage = told.some(({ kind }) => kind === "usage");
  await (hasUsage ? meterEvents(needs, scope, speaker, told) : storeEvents(needs, scope, speaker, told));
  needs.host.notifier.notify([speaker.runId]);
}

async function storeEvents(
  { host }: TellNeeds,
  { companyId, now }: Scope,
  speaker: Speaker,
  told: readonly ToldEvent[],
): Promise<void> {
  await upkeep(host.database, async (keep) => {
    const lease = await lockOwnLease(keep, companyId, speaker);
    if (lease === null) throw staleLease();
    const run = { companyId, runId: speaker.runId, now };
    const { after } = await appendEvents(keep, run, lease, told);
    await noteProgress(keep, run, after);
  });
}

/** The agent is locked before the lease here: what it spent is locked after both, by everyone. */
async function meterEvents(
  { host, prices }: TellNeeds,
  scope: Scope,
  speaker: Speaker,
  told: readonly ToldEvent[],
): Promise<void> {
  const { companyId } = scope;
  await change(host, scope, async (opened) => {
    const locked = await lockRun(opened, speaker.runId);
    const lease = await lockOwnLease(opened.upkeep, companyId, speaker);
    if (lease === null) throw staleLease();
    await storeMetered(opened, prices, { locked, lease }, told);
  });
}
