import { bigint, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { activityHeads } from "../../platform/activity/index.ts";
import { moment } from "../../platform/database/index.ts";

/**
 * What one budget holder (a company, under its own id, or an agent) spent in one UTC month, in micro-dollars, and what
 * was said of it. What it holds stands on the leases of its runs.
 */
export const spend = pgTable(
  "spend",
  {
    companyId: uuid()
      .notNull()
      .references(() => activityHeads.companyId),
    holderId: uuid().notNull(),
    month: text().notNull(),
    spentMicros: bigint({ mode: "number" }).notNull().default(0),
    /** When it was told that most of the budget is spent. */
    warnedAt: moment(),
    /** The limit that was used up when the board was asked for a larger one, in cents. */
    askedCents: bigint({ mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.holderId, table.month] }),
    index("spend_month").on(table.month),
  ],
);
