import { attentionEntities, attentionKinds, nextActors } from "@roster/contract";
import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { activityHeads } from "../../platform/activity/index.ts";
import { moment, oneOf } from "../../platform/database/index.ts";

/** What calls for attention: of a kind one that is open for an entity. Rows stay when their reason has gone. */
export const attention = pgTable(
  "attention",
  {
    companyId: uuid()
      .notNull()
      .references(() => activityHeads.companyId),
    id: uuid().notNull(),
    kind: text({ enum: attentionKinds }).notNull(),
    entityType: text({ enum: attentionEntities }).notNull(),
    entityId: uuid().notNull(),
    message: text().notNull(),
    nextActor: text({ enum: nextActors }).notNull(),
    createdAt: moment().notNull(),
    resolvedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index("attention_id").on(table.id),
    index("attention_open").on(table.companyId, table.id).where(sql`resolved_at is null`),
    uniqueIndex("attention_one_open").on(table.companyId, table.entityId, table.kind).where(sql`resolved_at is null`),
    check("attention_kind", oneOf(table.kind, attentionKinds)),
    check("attention_entity_type", oneOf(table.entityType, attentionEntities)),
    check("attention_next_actor", oneOf(table.nextActor, nextActors)),
  ],
);
