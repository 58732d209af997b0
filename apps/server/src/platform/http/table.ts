import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, moment } from "../database/index.ts";
import { upkeepTable } from "../upkeep.ts";

/** A stored answer, as it is sent again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

/** First answers by idempotency key. `digest` covers caller, operation, path and key; of the body only a MAC is kept. */
export const idempotencyKeys = upkeepTable(
  pgTable(
    "idempotency_keys",
    {
      digest: text().primaryKey(),
      bodyMac: text().notNull(),
      answer: jsonb().$type<StoredAnswer>(),
      sealed: bytes(),
      /** Version of the master key that the MAC and what is sealed were made with. */
      keyVersion: integer().notNull().default(1),
      createdAt: moment().notNull(),
    },
    (table) => [index("idempotency_keys_created_at").on(table.createdAt)],
  ),
);
