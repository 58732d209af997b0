import type { Change } from "../../platform/change.ts";
import type { AgentValues } from "./store.ts";
import { deleteTimer, setTimer } from "./timer-store.ts";

type Timed = Pick<AgentValues, "id" | "status" | "runtimeConfig">;

/** Keeps the timer of an agent in step with its state and its configuration; `before` is null for a new one. */
export async function keepTimer(change: Change, before: Timed | null, after: Timed): Promise<void> {
  const intervalSec = intervalOf(after);
  if (intervalSec === (before === null ? null : intervalOf(before))) return;
  if (intervalSec === null) await deleteTimer(change, after.id);
  else await setTimer(change, after.id, intervalSec);
}

/** Seconds between two wakes; null for who is not woken by a timer. Pure. */
function intervalOf({ status, runtimeConfig: { heartbeat } }: Timed): number | null {
  if (!heartbeat.enabled || status === "pending_approval" || status === "terminated") return null;
  return heartbeat.intervalSec ?? null;
}
