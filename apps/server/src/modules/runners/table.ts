import { type FoundProgram, runnerStatuses } from "@roster/contract";
import { check, jsonb, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { moment, oneOf } from "../../platform/database/index.ts";
import { upkeepTable } from "../../platform/upkeep.ts";
import { runnerLifecycle } from "./lifecycle.ts";

/** Who executes runs. They belong to the deployment, not to a company. */
export const runners = pgTable(
  "runners",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    status: text({ enum: runnerStatuses }).notNull().default("active"),
    /** The public part of its token, and the SHA-256 of the whole. */
    prefix: text().notNull(),
    hash: text().notNull(),
    /** The companies whose runs it takes; null for all. */
    companyIds: jsonb().$type<readonly string[]>(),
    createdAt: moment().notNull(),
  },
  (table) => [
    unique("runners_prefix").on(table.prefix),
    check("runners_status", oneOf(table.status, runnerLifecycle.states)),
  ],
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

/** What a runner has found on its machine of the programs that agents can be. */
export const runnerPrograms = upkeepTable(
  pgTable("runner_programs", {
    runnerId: uuid()
      .primaryKey()
      .references(() => runners.id),
    programs: jsonb().$type<readonly FoundProgram[]>().notNull(),
    toldAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  }),
);
