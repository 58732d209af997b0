import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The last sequence number of each company's log. A row of its own, so that only commits of one company meet here. */
export const activityHeads = pgTable("activity_heads", {
  companyId: uuid().primaryKey(),
  lastSeq: bigint({ mode: "number" }).notNull().default(0),
  /** No entry gets a higher number, so nothing of the company commits any more; null while it is open. */
  closedAfter: bigint({ mode: "number" }),
});

/** The log of everything that changed. Rows are only ever added; the database refuses anything else. */
export const activity = pgTable(
  "activity",
  {
    companyId: uuid().notNull(),
    seq: bigint({ mode: "number" }).notNull(),
    id: uuid().notNull(),
    action: text().notNull(),
    entityType: text().notNull(),
    entityId: uuid().notNull(),
    actorKind: text({ enum: ["agent", "user", "system"] }).notNull(),
    actorId: uuid(),
    runId: uuid(),
    causeId: uuid(),
    rootId: uuid().notNull(),
    hops: integer().notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    revisionHash: text(),
    requestId: text().notNull(),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.seq] }),
    index("activity_id").on(table.companyId, table.id),
    index("activity_entity").on(table.companyId, table.entityId, table.seq),
    index("activity_actor").on(table.companyId, table.actorId, table.seq),
    index("activity_action").on(table.companyId, table.action, table.seq),
    index("activity_entity_type").on(table.companyId, table.entityType, table.seq),
    // What agents began by themselves, outside of any run's chain.
    index("activity_roots")
      .on(table.companyId, table.actorId, table.createdAt)
      .where(sql`id = root_id and actor_kind = 'agent'`),
  ],
);
