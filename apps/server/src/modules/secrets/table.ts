import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, edited, moment } from "../../platform/database/index.ts";
import { companies } from "../companies/index.ts";

/** Secrets by name: everything but their values. */
export const secrets = pgTable(
  "secrets",
  {
    companyId: uuid()
      .notNull()
      .references(() => companies.id),
    id: uuid().notNull(),
    name: text().notNull(),
    description: text(),
    latestVersion: integer().notNull(),
    ...edited(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique("secrets_name").on(table.companyId, table.name),
    index("secrets_id").on(table.id),
    check("secrets_latest_version", sql`${table.latestVersion} >= 1`),
  ],
);

/**
 * The values, encrypted under the master key of version `keyVersion`. Rows are only added, so that a revision which pins
 * a version finds it for ever; only a rotation of the master key seals what is there anew. The numbers of one secret run
 * from 1 to its `latestVersion`.
 */
export const secretVersions = pgTable(
  "secret_versions",
  {
    companyId: uuid().notNull(),
    secretId: uuid().notNull(),
    number: integer().notNull(),
    sealed: bytes().notNull(),
    keyVersion: integer().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.secretId, table.number] }),
    foreignKey({ columns: [table.companyId, table.secretId], foreignColumns: [secrets.companyId, secrets.id] }),
  ],
);
