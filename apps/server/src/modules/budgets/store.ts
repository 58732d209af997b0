import { and, type Column, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
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
