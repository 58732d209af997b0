import { roles } from "@roster/contract";
import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { moment, oneOf } from "../../platform/database/index.ts";
import { companies } from "../companies/index.ts";

/** Invitations to a company. Of the token only its hash is kept. */
export const invitations = pgTable(
  "invitations",
  {
    companyId: uuid()
      .notNull()
      .references(() => companies.id),
    id: uuid().notNull(),
    email: text().notNull(),
    role: text({ enum: roles }).notNull(),
    hash: text().notNull(),
    createdAt: moment().notNull(),
    expiresAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    /** It was accepted or taken back. */
    closedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique("invitations_hash").on(table.hash),
    index("invitations_id").on(table.id),
    index("invitations_open").on(table.companyId, table.id).where(sql`${table.closedAt} is null`),
    check("invitations_role", oneOf(table.role, roles)),
  ],
);
