import { backoffMs, wait } from "../calling/insist.ts";
import { reasonOf } from "../calling/refusals.ts";
import type { Server } from "../calling/server.ts";
import type { Log } from "../log.ts";
import type { HeldRuns } from "./held-runs.ts";

/** What keeps leases. */
export interface Extending {
  readonly server: Server;
  readonly held: HeldRuns;
  readonly log: Log;
  readonly everySec: number;
  /** Runs that no server has been heard of for so long are ended. */
  readonly orphanAfterSec: number;
}

/** Keeps the leases of all runs that are held, and ends them when no server is there to keep them for. */
export async function extendLeases(extending: Extending, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    failures = (await extendOnce(extending, signal)) ? 0 : failures + 1;
    const { server, held, log, everySec, orphanAfterSec } = extending;
    if (held.count > 0 && server.silentMs > orphanAfterSec * 1000) {
      log.error({ runs: held.count }, "no server for too long: ending all runs");
      held.endAll("orphaned");
    }
    await wait(failures === 0 ? everySec * 1000 : backoffMs(failures - 1), signal);
  }
}

async function extendOnce({ server, held, log }: Extending, signal: AbortSignal): Promise<boolean> {
  if (held.count === 0) return true;
  try {
    held.apply(await server.extend(held.leases, signal));
    return true;
  } catch (error) {
    if (!signal.aborted) log.warn({ reason: reasonOf(error) }, "leases were not extended");
    return false;
  }
}
