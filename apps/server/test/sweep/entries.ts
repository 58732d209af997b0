import type { World } from "./world.ts";

/** An entry of the log, as far as the sweep looks at it. */
export interface LoggedEntry {
  readonly requestId: string;
  readonly action: string;
  readonly kind: string;
  readonly id: string | null;
  readonly runId: string | null;
}

/** Entries that these requests left in the log of any company. */
export async function entriesOf(world: World, requestIds: readonly string[]): Promise<LoggedEntry[]> {
  return world.server.database.driver<LoggedEntry[]>`
    select request_id as "requestId", action, actor_kind as kind, actor_id as id, run_id as "runId"
    from activity where request_id = any(${[...requestIds]})`;
}
