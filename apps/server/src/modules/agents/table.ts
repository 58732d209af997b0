import {
  type AgentPermissions,
  agentStatuses,
  type CheckFinding,
  causeCodes,
  checkStates,
  type InstructionsBundle,
  type JsonObject,
  pauseReasons,
  type RuntimeConfig,
  revisionSources,
} from "@roster/contract";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { edited, moment, oneOf } from "../../platform/database/index.ts";
import { upkeepTable } from "../../platform/upkeep.ts";
import { companies } from "../companies/index.ts";
import { agentLifecycle } from "./lifecycle.ts";

/** A skill of an agent at the version it runs with. */
export interface SkillPin {
  readonly key: string;
  readonly contentHash: string;
}

/** Everything that makes an agent behave as it does: what a revision holds. */
export interface Content {
  readonly adapterType: string;
  readonly adapterConfig: JsonObject;
  readonly instructionsBundle: InstructionsBundle | null;
  readonly skills: readonly SkillPin[];
  readonly runtimeConfig: RuntimeConfig;
  readonly permissions: AgentPermissions;
  readonly budgetMonthlyCents: number;
}

/** Agents: who they are, what makes them behave as they do, and the state they are in. */
export const agents = pgTable(
  "agents",
  {
    companyId: uuid()
      .notNull()
      .references(() => companies.id),
    id: uuid().notNull(),
    urlKey: text().notNull(),
    name: text().notNull(),
    role: text().notNull(),
    title: text(),
    icon: text(),
    reportsTo: uuid(),
    capabilities: text(),
    status: text({ enum: agentStatuses }).notNull(),
    pauseReason: text({ enum: pauseReasons }),
    adapterType: text().notNull(),
    adapterConfig: jsonb().$type<JsonObject>().notNull(),
    instructionsBundle: jsonb().$type<InstructionsBundle>(),
    runtimeConfig: jsonb().$type<RuntimeConfig>().notNull(),
    permissions: jsonb().$type<AgentPermissions>().notNull(),
    budgetMonthlyCents: bigint({ mode: "number" }).notNull(),
    skills: jsonb().$type<SkillPin[]>().notNull(),
    revisionNumber: integer().notNull(),
    /** How its last runs failed, all alike, and how many of them; null and 0 after a good one. */
    failureCode: text({ enum: causeCodes }),
    failureCount: integer().notNull().default(0),
    sourceIssueId: uuid(),
    sourceIssueIds: jsonb().$type<string[]>().notNull(),
    lastHeartbeatAt: moment(),
    ...edited(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.reportsTo], foreignColumns: [table.companyId, table.id] }),
    unique("agents_url_key").on(table.companyId, table.urlKey),
    index("agents_id").on(table.id),
    index("agents_status").on(table.companyId, table.status, table.id),
    index("agents_reports_to").on(table.companyId, table.reportsTo),
    index("agents_paused_by_budget").on(table.companyId, table.id).where(sql`pause_reason = 'budget'`),
    check("agents_status", oneOf(table.status, agentLifecycle.states)),
    check("agents_pause_reason", oneOf(table.pauseReason, pauseReasons)),
    check("agents_failure_code", oneOf(table.failureCode, causeCodes)),
  ],
);

/** When agents are woken by their timers next; a row for each that has one, also while it is paused. */
export const timers = upkeepTable(
  pgTable(
    "timers",
    {
      companyId: uuid().notNull(),
      agentId: uuid().notNull(),
      intervalSec: integer().notNull(),
      nextAt: moment().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.companyId, table.agentId] }),
      foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
      index("timers_next_at").on(table.nextAt),
    ],
  ),
);

/** Every state an agent's behaviour was ever in. Rows are only ever added. */
export const agentRevisions = pgTable(
  "agent_revisions",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    agentId: uuid().notNull(),
    number: integer().notNull(),
    content: jsonb().$type<Content>().notNull(),
    contentHash: text().notNull(),
    source: text({ enum: revisionSources }).notNull(),
    changed: jsonb().$type<string[]>().notNull(),
    actorKind: text({ enum: ["agent", "user", "system"] }).notNull(),
    actorId: uuid(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
    unique("agent_revisions_number").on(table.companyId, table.agentId, table.number),
    index("agent_revisions_id").on(table.id),
    check("agent_revisions_source", oneOf(table.source, revisionSources)),
  ],
);

/** Whether agents could work where their runners are: of each the last check, or the one that waits for a runner. */
export const agentChecks = upkeepTable(
  pgTable(
    "agent_checks",
    {
      companyId: uuid().notNull(),
      agentId: uuid().notNull(),
      /** The configuration that is or was checked. */
      revisionId: uuid().notNull(),
      state: text({ enum: checkStates }).notNull(),
      findings: jsonb().$type<CheckFinding[]>().notNull(),
      checkedAt: moment(),
      runnerId: uuid(),
      /** A runner is at it. */
      takenUntil: timestamp({ withTimezone: true, precision: 3 }),
    },
    (table) => [
      primaryKey({ columns: [table.companyId, table.agentId] }),
      foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
      foreignKey({
        columns: [table.companyId, table.revisionId],
        foreignColumns: [agentRevisions.companyId, agentRevisions.id],
      }),
      index("agent_checks_waiting").on(table.revisionId).where(sql`state = 'unchecked'`),
      check("agent_checks_state", oneOf(table.state, checkStates)),
    ],
  ),
);
