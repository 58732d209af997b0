import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { moment } from "./database/index.ts";
import { upkeepTable } from "./upkeep.ts";

/** The deployment itself, one row. */
export const instance = upkeepTable(
  pgTable(
    "instance",
    {
      id: integer().primaryKey().default(1),
      masterKeyFingerprint: text(),
      masterKeyVersion: integer().notNull().default(1),
      /** When the present master key took the place of the former one; null for the first. */
      masterKeySince: timestamp({ withTimezone: true, precision: 3 }),
      formerKeyFingerprint: text(),
      /** Secrets may still be sealed under the former key. */
      isResealing: boolean().notNull().default(false),
      /** What the claim link is made from; null once somebody has claimed. */
      claimSalt: text(),
      /** Since when no run starts; null while they do. */
      stoppedAt: timestamp({ withTimezone: true, precision: 3 }),
      /** When a server last said that it is there, by the database's clock. */
      aliveAt: timestamp({ withTimezone: true, precision: 3 }),
      createdAt: moment().notNull().defaultNow(),
    },
    (table) => [check("instance_one", sql`${table.id} = 1`)],
  ),
);
