import type { ChangeHost } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Speaker } from "./lease-store.ts";
import { requireLease } from "./require-lease.ts";
import { markStarted } from "./start-store.ts";

/**
 * Notes that the program of a claimed run was started; told again, it changes nothing. Refuses `stale_lease` from
 * whoever may not speak for the run.
 */
export async function startRun(host: ChangeHost, scope: Scope, speaker: Speaker): Promise<void> {
  if (!(await markStarted(host, scope, speaker))) await requireLease(scope, speaker);
}
