import { pricings } from "@roster/contract";
import { bigint, check, date, foreignKey, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { activityHeads } from "../../platform/activity/index.ts";
import { moment, oneOf } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";

const amount = () => bigint({ mode: "number" }).notNull();
const counted = () => ({
  inputTokens: amount(),
  cachedInputTokens: amount(),
  outputTokens: amount(),
  costMicros: amount(),
});

/**
 * What agents used. Rows are only ever added. The keys to runs and issues stand in a migration of their own: those
 * modules know this one.
 */
export const costEvents = pgTable(
  "cost_events",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    agentId: uuid().notNull(),
    runId: uuid(),
    issueId: uuid(),
    provider: text().notNull(),
    model: text().notNull(),
    ...counted(),
    priced: text({ enum: pricings }).notNull(),
    priceVersion: text(),
    occurredAt: moment().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
    index("cost_events_agent").on(table.companyId, table.agentId, table.id),
    index("cost_events_run").on(table.companyId, table.runId, table.id),
    check("cost_events_priced", oneOf(table.priced, pricings)),
  ],
);

/** What the days of a company are added up for. */
const costSubjects = ["company", "agent", "model"] as const;

/**
 * What was booked on one UTC day, added up: for the company, for each of its agents (`name` is its id) and for each
 * model (`name`, of `provider`). The key leads to the company's head, which nobody locks whole: who books never waits
 * for who changes the company.
 */
export const costDays = pgTable(
  "cost_days",
  {
    companyId: uuid()
      .notNull()
      .references(() => activityHeads.companyId),
    subject: text({ enum: costSubjects }).notNull(),
    day: date({ mode: "string" }).notNull(),
    provider: text().notNull(),
    name: text().notNull(),
    ...counted(),
    unpricedMicros: amount(),
    events: amount(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.subject, table.day, table.provider, table.name] }),
    check("cost_days_subject", oneOf(table.subject, costSubjects)),
  ],
);
