import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { timers } from "./table.ts";

/**
 * The next time at which a timer is due, after now. The moments of an agent are stable, and spread by its id: agents of
 * one interval are not woken all at once, and what was missed is not made up for.
 */
export const nextTick = (agentId: SQL, intervalSec: SQL): SQL<Date> => {
  const offset = sql`(('x' || right(${agentId}::text, 8))::bit(32)::bigint % ${intervalSec})`;
  const now = sql`extract(epoch from clock_timestamp())`;
  return sql<Date>`to_timestamp(((floor((${now} - ${offset}) / ${intervalSec}) + 1) * ${intervalSec} + ${offset})::float8)`;
};

/** Sets when an agent is woken, from now on. */
export async function setTimer(change: Change, agentId: string, intervalSec: number): Promise<void> {
  const due = { intervalSec, nextAt: nextTick(sql`${agentId}::uuid`, sql`${intervalSec}::int`) };
  await change.upkeep
    .insert(timers)
    .values({ companyId: change.companyId, agentId, ...due })
    .onConflictDoUpdate({ target: [timers.companyId, timers.agentId], set: due });
}

/** Takes the timer of an agent away. */
export async function deleteTimer(change: Change, agentId: string): Promise<void> {
  await change.upkeep.delete(timers).where(and(eq(timers.companyId, change.companyId), eq(timers.agentId, agentId)));
}
