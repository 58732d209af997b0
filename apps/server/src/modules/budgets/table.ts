import { bigint, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { activityHeads } from "../../platform/activity/index.ts";

/** What one budget holder (a company, under its own id, or an agent) spent and holds in one UTC month, in micro-dollars. */
export const spend = pgTable(
  "spend",
  {
    companyId: uuid()
      .notNull()
      .references(() => activityHeads.companyId),
    holderId: uuid().notNull(),
    month: text().notNull(),
    spentMicros: bigint({ mode: "number" }).notNull().default(0),
    heldMicros: bigint({ mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.holderId, table.month] })],
);
