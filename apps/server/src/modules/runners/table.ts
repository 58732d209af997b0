import { jsonb, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { moment } from "../../platform/database/index.ts";
import { upkeepTable } from "../../platform/upkeep.ts";

/** Who executes runs. They belong to the deployment, not to a company. */
export const runners = pgTable(
  "runners",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** The public part of its token, and the SHA-256 of the whole. */
    prefix: text().notNull(),
    hash: text().notNull(),
    /** The companies whose runs it takes; null for all. */
    companyIds: jsonb().$type<string[]>(),
    createdAt: moment().notNull(),
  },
  (table) => [unique("runners_prefix").on(table.prefix)],
);

/** When a runner last asked for work, and for which. */
export const runnerSightings = upkeepTable(
  pgTable("runner_sightings", {
    runnerId: uuid()
      .primaryKey()
      .references(() => runners.id),
    labels: jsonb().$type<readonly string[]>().notNull(),
    seenAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  }),
);
