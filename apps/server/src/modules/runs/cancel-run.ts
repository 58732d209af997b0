import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import { announceEnding } from "./end-under-way.ts";
import { type SettleNeeds, settleRun, unseen } from "./settle-run.ts";
import { lockRun, markEnding } from "./store.ts";

/**
 * Ends a run. What is queued is cancelled at once; of what runs the credential is dead when this commits, and the
 * program ends within its grace. To cancel what is being cancelled, or is over by cancelling, changes nothing.
 */
export async function cancelRun(change: Change, needs: SettleNeeds, runId: string): Promise<void> {
  const locked = await lockRun(change, runId);
  const { run } = locked;
  const { caller } = change;
  if (caller.kind === "agent" && caller.runId !== runId) {
    throw new Refusal("forbidden", "An agent cancels only the run it is in.");
  }
  if (run.status === "cancelled" || run.ending !== null) return;
  if (run.status === "queued") {
    await settleRun(change, needs, locked, { ended: unseen("cancelled", `Cancelled by ${nameOf(change)}.`) });
    return;
  }
  if (run.finishedAt !== null) {
    throw new Refusal("wrong_state", `This run is over: it is ${run.status}.`, {
      details: [{ path: "status", message: `is ${run.status}`, allowed: ["queued", "claimed", "running"] }],
    });
  }
  const [marked] = await markEnding(change, { runId }, "cancelled");
  if (marked !== undefined) announceEnding(change, marked, `cancelled by ${nameOf(change)}`);
}

const nameOf = ({ caller }: Change): string => (caller.kind === "agent" ? caller.name : "the board");
