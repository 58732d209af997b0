import { instanceId } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { queueSignal, stopSignal } from "../../platform/signals.ts";
import { markStopped } from "./store.ts";

/**
 * Stops the runs of the whole deployment: none starts after the commit, and those under way are asked to end within
 * seconds and queued again. Said twice, it changes nothing.
 */
export async function stopInstance(change: Change): Promise<void> {
  if (!(await markStopped(change, true))) return;
  change.record("instance.stopped", instanceId, {});
  change.announce(stopSignal);
}

/** Lets runs start again. Said twice, it changes nothing. */
export async function resumeInstance(change: Change): Promise<void> {
  if (!(await markStopped(change, false))) return;
  change.record("instance.resumed", instanceId, {});
  change.announce(queueSignal);
}
