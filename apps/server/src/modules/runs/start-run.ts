import { type ChangeHost, change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Speaker } from "./lease-store.ts";
import { requireLease } from "./require-lease.ts";
import { markStarted } from "./start-store.ts";

class NotToStart extends Error {}

/**
 * Notes that the program of a claimed run was started; told again, it changes nothing. Refuses `stale_lease` from
 * whoever may not speak for the run.
 */
export async function startRun(host: ChangeHost, scope: Scope, speaker: Speaker): Promise<void> {
  const { runId } = speaker;
  try {
    await change(host, scope, async (opened) => {
      const started = await markStarted(opened, speaker);
      if (started === undefined) throw new NotToStart();
      const { agentId, agentName } = started;
      opened.record("run.started", runId, { agentId, agentName }, { cause: started });
      opened.announce(runId);
    });
  } catch (error) {
    if (!(error instanceof NotToStart)) throw error;
    await requireLease(scope, speaker);
  }
}
