import {
  causeCodes,
  endingReasons,
  finalRunStatuses,
  type JsonObject,
  nextActors,
  outputStreams,
  runEventKinds,
  runStatuses,
  skipReasons,
  wakeSources,
} from "@roster/contract";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, moment, oneOf } from "../../platform/database/index.ts";
import { upkeepTable } from "../../platform/upkeep.ts";
import { agentRevisions, agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { runners } from "../runners/index.ts";
import { runLifecycle } from "./lifecycle.ts";

const amount = () => bigint({ mode: "number" }).notNull().default(0);
/** What a run used, by what its program says. */
const used = () => ({
  inputTokens: amount(),
  cachedInputTokens: amount(),
  outputTokens: amount(),
  costMicros: amount(),
});

/**
 * Runs: executions of agents. The keys to issues and approvals, and the index that makes the queued run of an agent,
 * issue and approval the only one, stand in a migration of their own: those modules know this one, so this one cannot
 * know them, and the tool that writes migrations cannot say that nulls are equal.
 */
export const runs = pgTable(
  "runs",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    agentId: uuid().notNull(),
    issueId: uuid(),
    approvalId: uuid(),
    status: text({ enum: runStatuses }).notNull(),
    /** 0 is the most urgent. */
    priority: smallint().notNull(),
    /** A retry waits until then. */
    notBefore: timestamp({ withTimezone: true, precision: 3 }),
    attempt: integer().notNull(),
    retryOf: uuid(),
    /** The entry that led to it, the first of its chain, and the steps between. */
    causeId: uuid().notNull(),
    rootId: uuid().notNull(),
    hops: integer().notNull(),
    /** Its cause has led to as much as it may: it waits until it is released or new outside input joins it. */
    exhausted: boolean().notNull().default(false),
    /** Number of the claim. Who speaks with an older one is not heard. */
    epoch: integer().notNull().default(0),
    runnerId: uuid().references(() => runners.id),
    revisionId: uuid(),
    /** Versions of secrets that "latest" meant when it was claimed, by the names of their entries. */
    secretVersions: jsonb().$type<Record<string, number>>(),
    /** The approval's status and the issues linked to it, as they were when it was claimed. */
    approvalStatus: text(),
    linkedIssueIds: jsonb().$type<string[]>(),
    ending: text({ enum: endingReasons }),
    outcomeCode: text({ enum: causeCodes }),
    outcomeMessage: text(),
    nextActor: text({ enum: nextActors }),
    exitCode: integer(),
    signal: text(),
    ...used(),
    logBytes: amount(),
    logTruncated: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    claimedAt: moment(),
    startedAt: moment(),
    finishedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
    foreignKey({ columns: [table.companyId, table.retryOf], foreignColumns: [table.companyId, table.id] }),
    foreignKey({
      columns: [table.companyId, table.revisionId],
      foreignColumns: [agentRevisions.companyId, agentRevisions.id],
    }),
    index("runs_id").on(table.id),
    index("runs_agent").on(table.companyId, table.agentId, table.id),
    index("runs_status").on(table.companyId, table.status, table.id),
    index("runs_issue").on(table.companyId, table.issueId, table.id),
    index("runs_root").on(table.companyId, table.rootId),
    index("runs_priced").on(table.companyId, table.agentId, table.id).where(sql`cost_micros > 0`),
    index("runs_finished").on(table.companyId, table.finishedAt, table.id).where(sql`finished_at is not null`),
    index("runs_under_way").on(table.companyId, table.agentId).where(sql`status in ('claimed', 'running')`),
    check("runs_status", oneOf(table.status, runLifecycle.states)),
    check("runs_ending", oneOf(table.ending, endingReasons)),
    check("runs_outcome_code", oneOf(table.outcomeCode, causeCodes)),
    check("runs_next_actor", oneOf(table.nextActor, nextActors)),
    check(
      "runs_final",
      sql`(${oneOf(table.status, finalRunStatuses)}) = (${table.outcomeCode} is not null and ${table.finishedAt} is not null)`,
    ),
    check("runs_started", sql`${table.status} <> 'running' or ${table.startedAt} is not null`),
    check(
      "runs_claimed",
      sql`${table.status} not in ('claimed', 'running') or num_nonnulls(${table.claimedAt}, ${table.runnerId}, ${table.revisionId}) = 3`,
    ),
  ],
);

/** Why an agent should run: a row, never a call, written in the transaction of what caused it. */
export const wakes = pgTable(
  "wakes",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    agentId: uuid().notNull(),
    source: text({ enum: wakeSources }).notNull(),
    reason: text().notNull(),
    issueId: uuid(),
    approvalId: uuid(),
    payload: jsonb().$type<JsonObject>().notNull(),
    causeId: uuid().notNull(),
    /** The run it made or joined; none where it was skipped. */
    runId: uuid(),
    skipped: text({ enum: skipReasons }),
    idempotencyKey: text(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
    foreignKey({ columns: [table.companyId, table.runId], foreignColumns: [runs.companyId, runs.id] }),
    index("wakes_agent").on(table.companyId, table.agentId, table.id),
    index("wakes_run").on(table.companyId, table.runId, table.id),
    uniqueIndex("wakes_idempotency_key")
      .on(table.companyId, table.agentId, table.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    check("wakes_source", oneOf(table.source, wakeSources)),
    check("wakes_skipped", oneOf(table.skipped, skipReasons)),
    check("wakes_led_somewhere", sql`num_nonnulls(${table.runId}, ${table.skipped}) = 1`),
  ],
);

/**
 * Who may speak for a run, and until when; how far its output is stored; and what it holds of the budgets: what was
 * granted (`held`) less what was booked for it (`drawn`). Gone when the run is over, and its hold with it.
 */
export const leases = upkeepTable(
  pgTable(
    "leases",
    {
      companyId: uuid().notNull(),
      runId: uuid().notNull(),
      agentId: uuid().notNull(),
      runnerId: uuid()
        .notNull()
        .references(() => runners.id),
      epoch: integer().notNull(),
      leaseUntil: timestamp({ withTimezone: true, precision: 3 }).notNull(),
      lastSeq: integer().notNull().default(0),
      storedStdout: amount(),
      storedStderr: amount(),
      logBytes: amount(),
      logTruncated: boolean().notNull().default(false),
      ...used(),
      heldMicros: amount(),
      drawnMicros: amount(),
      /** What the run may cost at most, whatever the budgets have left; null where nothing is said. */
      capMicros: bigint({ mode: "number" }),
      /** The session it goes on from, as it was when it was claimed, and what its last session event said. */
      resumed: jsonb().$type<JsonObject>(),
      session: jsonb().$type<JsonObject>(),
      /** Digest of how its agent said that it came out; null until that was said. */
      completion: text(),
    },
    (table) => [
      primaryKey({ columns: [table.companyId, table.runId] }),
      foreignKey({ columns: [table.companyId, table.runId], foreignColumns: [runs.companyId, runs.id] }),
      foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
      index("leases_agent").on(table.companyId, table.agentId),
      index("leases_runner").on(table.runnerId),
      index("leases_until").on(table.leaseUntil),
    ],
  ),
);

/**
 * Conversations that the programs of agents have had, for each agent and issue the last one: a cache. The key to issues
 * stands in a migration of its own.
 */
export const agentSessions = upkeepTable(
  pgTable(
    "agent_sessions",
    {
      companyId: uuid().notNull(),
      agentId: uuid().notNull(),
      issueId: uuid().notNull(),
      /** Where it is, and with which configuration it was had. */
      runnerId: uuid()
        .notNull()
        .references(() => runners.id),
      revisionId: uuid().notNull(),
      data: jsonb().$type<JsonObject>().notNull(),
      /** How many runs were in it. */
      runs: integer().notNull(),
      usedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.companyId, table.agentId, table.issueId] }),
      foreignKey({ columns: [table.companyId, table.agentId], foreignColumns: [agents.companyId, agents.id] }),
      foreignKey({
        columns: [table.companyId, table.revisionId],
        foreignColumns: [agentRevisions.companyId, agentRevisions.id],
      }),
      index("agent_sessions_used_at").on(table.usedAt),
    ],
  ),
);

/** What a run tells of itself. `logOffset` is where an output's first byte stands in the run's log. */
export const runEvents = upkeepTable(
  pgTable(
    "run_events",
    {
      companyId: uuid().notNull(),
      runId: uuid().notNull(),
      seq: integer().notNull(),
      kind: text({ enum: runEventKinds }).notNull(),
      stream: text({ enum: outputStreams }),
      logOffset: bigint({ mode: "number" }),
      content: bytes(),
      data: jsonb().$type<JsonObject>(),
      createdAt: moment().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.companyId, table.runId, table.seq] }),
      foreignKey({ columns: [table.companyId, table.runId], foreignColumns: [runs.companyId, runs.id] }),
      index("run_events_usage").on(table.companyId, table.runId, table.seq).where(sql`kind = 'usage'`),
      index("run_events_log").on(table.companyId, table.runId, table.logOffset).where(sql`log_offset is not null`),
      check("run_events_kind", oneOf(table.kind, runEventKinds)),
      check("run_events_stream", oneOf(table.stream, outputStreams)),
    ],
  ),
);

/** The run up to which the output of a company's runs was removed, in the order in which they ended. */
export const outputRetention = upkeepTable(
  pgTable("output_retention", {
    companyId: uuid()
      .primaryKey()
      .references(() => companies.id),
    finishedAt: moment().notNull(),
    runId: uuid().notNull(),
  }),
);
