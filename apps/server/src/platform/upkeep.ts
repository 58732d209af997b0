import type { PgDeleteBase, PgInsertBuilder, PgTable, PgUpdateBuilder } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type { Database } from "./database/index.ts";

declare const machinery: unique symbol;
/** A table of the machinery (idempotency, counters, cursors …), which no entry of the log speaks of. */
export type UpkeepTable<T extends PgTable = PgTable> = T & { readonly [machinery]: true };

/** Declares a table as machinery, so that {@link Upkeep} accepts it. */
export const upkeepTable = <T extends PgTable>(table: T): UpkeepTable<T> => table as UpkeepTable<T>;

/** The right to write machinery, and nothing else, without an entry in the log. */
export interface Upkeep {
  insert<T extends UpkeepTable>(table: T): PgInsertBuilder<T, PostgresJsQueryResultHKT>;
  update<T extends UpkeepTable>(table: T): PgUpdateBuilder<T, PostgresJsQueryResultHKT>;
  delete<T extends UpkeepTable>(table: T): PgDeleteBase<T, PostgresJsQueryResultHKT>;
}

/** Runs `work` in a transaction that can write machinery only. */
export const upkeep = <T>(database: Database, work: (upkeep: Upkeep) => Promise<T>): Promise<T> =>
  database.transaction((writer) => work(writer));
