import { type SQL, sql } from "drizzle-orm";
import { customType, integer, type PgColumn, timestamp } from "drizzle-orm/pg-core";

/** A point in time, kept to the millisecond that the API shows. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Bytes as they are: what is sealed, and files. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** Columns of every entity that people edit; `version` is the number of its ETag. */
export const edited = () => ({
  version: integer().notNull().default(1),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
});

/** The condition of a `check` constraint: the column holds one of the values a lifecycle or enumeration lists. */
export function oneOf(column: PgColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}
