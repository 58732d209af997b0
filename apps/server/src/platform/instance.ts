import { sql } from "drizzle-orm";
import { check, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { moment } from "./database/index.ts";
import { upkeepTable } from "./upkeep.ts";

/** The deployment itself, one row. */
export const instance = upkeepTable(
  pgTable(
    "instance",
    {
      id: integer().primaryKey().default(1),
      masterKeyFingerprint: text(),
      /** What the claim link is made from; null once somebody has claimed. */
      claimSalt: text(),
      /** When a server last said that it is there, by the database's clock. */
      aliveAt: timestamp({ withTimezone: true, precision: 3 }),
      createdAt: moment().notNull().defaultNow(),
    },
    (table) => [check("instance_one", sql`${table.id} = 1`)],
  ),
);
