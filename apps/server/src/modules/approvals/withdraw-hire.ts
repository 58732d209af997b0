import type { Change } from "../../platform/change.ts";
import { settle } from "./decide-approval.ts";
import { lockOpenHire } from "./store.ts";

/** Cancels the open hire of a locked agent that is being terminated, if there is one. */
export async function withdrawHire(change: Change, agentId: string): Promise<void> {
  const open = await lockOpenHire(change, agentId);
  if (open !== null) await settle(change, open, { verdict: "cancel", status: "cancelled", note: null });
}
