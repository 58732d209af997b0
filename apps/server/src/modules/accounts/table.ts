import { bigint, boolean, index, integer, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { moment } from "../../platform/database/index.ts";

// These four belong to the deployment and are written by better-auth alone, which knows the fields by these names.

/** People with an account. */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    emailVerified: boolean().notNull().default(false),
    image: text(),
    isInstanceAdmin: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [unique("users_email").on(table.email)],
);

/** Who is signed in. A cookie carries the token, signed: the token alone opens nothing. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    token: text().notNull(),
    expiresAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    unique("sessions_token").on(table.token),
    index("sessions_user").on(table.userId, table.id),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);

/** How a person proves who they are: here by a password, of which a scrypt hash is kept. */
export const accounts = pgTable(
  "accounts",
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    accountId: text().notNull(),
    providerId: text().notNull(),
    password: text(),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [index("accounts_user").on(table.userId)],
);

/** How often somebody tried to sign in. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    id: uuid().primaryKey(),
    key: text().notNull(),
    count: integer().notNull(),
    lastRequest: bigint({ mode: "number" }).notNull(),
  },
  (table) => [unique("rate_limits_key").on(table.key)],
);
