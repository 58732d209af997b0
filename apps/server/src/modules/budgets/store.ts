import { and, type Column, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { monthOf } from "./month.ts";
import { spend } from "./table.ts";

/** Columns that a select joined with {@link spendOf} can take; 0 where nothing was spent yet. */
export const spendColumns = {
  spentMicros: sql<number>`coalesce(${spend.spentMicros}, 0)`.mapWith(Number),
  heldMicros: sql<number>`coalesce(${spend.heldMicros}, 0)`.mapWith(Number),
};

/** The join condition that finds a holder's row of a month. */
export function spendOf(companyId: Column, holderId: Column, month: string | Placeholder): SQL | undefined {
  return and(eq(spend.companyId, companyId), eq(spend.holderId, holderId), eq(spend.month, month));
}

/** Adds to what an agent and its company have spent in the UTC month it is now. Agents come first everywhere. */
export async function addSpend(change: Change, agentId: string, micros: number): Promise<void> {
  const { companyId, now } = change;
  const rows = [agentId, companyId].map((holderId) => ({
    companyId,
    holderId,
    month: monthOf(now),
    spentMicros: micros,
  }));
  await change.write
    .insert(spend)
    .values(rows)
    .onConflictDoUpdate({
      target: [spend.companyId, spend.holderId, spend.month],
      set: { spentMicros: sql`${spend.spentMicros} + excluded.spent_micros` },
    });
}
