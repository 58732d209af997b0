import { z } from "zod";
import { checkFinding } from "./agents.ts";
import { id, json } from "./fields.ts";
import { operations } from "./operation.ts";
import { causeCodes, endingReasons, outputStreams, runEventKinds } from "./runs.ts";

/** Longest a claim waits for something to tell, in seconds. */
export const longestClaimWaitSec = 25;
/** A runner extends its leases this often, in seconds; they last three times as long. */
export const extendEverySec = 10;
/** How long a lease lasts that nobody extends, in seconds. */
export const leaseSec = 30;

const epoch = z.int().min(1).describe("Number of the claim; an older one may no longer speak for the run");
const held = z.strictObject({ runId: z.uuid(), epoch });
const reason = z.enum(endingReasons);
const label = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
const toEnd = z.array(z.object({ runId: id, epoch: z.int(), reason }));
const toForget = z.array(z.object({ runId: id, epoch: z.int() }));

/** Everything a runner needs to execute a run. Secrets in it live in the runner's memory only. */
export const runOrder = z.object({
  runId: id,
  epoch: z.int(),
  companyId: id,
  agentId: id,
  adapterType: z.string(),
  adapterConfig: json.describe("Settings with defaults applied, without env"),
  env: z.record(z.string(), z.string()).describe("The agent's environment, secrets revealed"),
  service: z.record(z.string(), z.string()).describe("The variables of the run, its credential among them"),
  secrets: z.array(z.string()).describe("Values that must not be told"),
  replaces: id
    .nullable()
    .optional()
    .describe("The run in whose place this one is: on no machine does it start beside what is left of that one"),
  prompt: z.string(),
  instructions: z.object({ entryFile: z.string(), files: z.record(z.string(), z.string()) }).nullable(),
  skills: z.array(z.object({ key: z.string(), slug: z.string(), contentHash: z.string() })),
  capMicros: z
    .int()
    .nullable()
    .optional()
    .describe(
      "Millionths of a dollar that the run holds of its budget: what its program may cost; null without a limit",
    ),
  limits: z.object({ startSec: z.number(), silenceSec: z.number(), wallSec: z.number(), graceSec: z.number() }),
  session: json
    .nullable()
    .optional()
    .describe("What the last session event said of a run that this one goes on from; null for one that starts anew"),
});
/** Everything a runner needs to execute a run. */
export type RunOrder = z.infer<typeof runOrder>;

/** Longest a runner looks for what an agent needs, in seconds. */
export const longestCheckSec = 5;

/** What a runner is to look at: whether an agent could work on its machine. */
export const checkOrder = z.object({
  companyId: id,
  agentId: id,
  revisionId: id.describe("The configuration that is checked"),
  adapterType: z.string(),
  adapterConfig: json.describe("Settings as stored; in env no secret has its value"),
  mayAsk: z.boolean().describe("The program may be started to ask its version: not before its hire is approved"),
});
/** What a runner is to look at: whether an agent could work on its machine. */
export type CheckOrder = z.infer<typeof checkOrder>;

const checkReport = z.strictObject({ ...checkFinding.shape, message: z.string().min(1).max(2000) });

/** Most events of one call. */
export const mostEvents = 500;

/**
 * An event as a runner tells it. `offset` and `length` say from which bytes of the stream it was made: together with
 * `stream` they are its identity, and what is stored already is ignored: offsets of a stream rise. Beyond its end stand
 * what was kept of the last part, and the gap before it. All events made of the same bytes come in one
 * call. Output comes as `text` or, where it is no UTF-8, as `base64`; a `gap` says how many bytes were left out.
 */
export const toldEvent = z.strictObject({
  kind: z.enum(runEventKinds),
  stream: z.enum(outputStreams),
  offset: z.int().min(0),
  length: z.int().min(0),
  text: z.string().optional(),
  base64: z.base64().optional(),
  data: json.optional(),
});
/** An event as a runner tells it. */
export type ToldEvent = z.infer<typeof toldEvent>;

const events = z.array(toldEvent).max(mostEvents);

/** How a run ended, as its runner saw it. */
export const outcome = z.strictObject({
  code: z.enum(causeCodes),
  message: z.string().max(2000).describe("A sentence a person understands"),
  exitCode: z.int().min(0).max(255).nullable().default(null),
  signal: z.string().max(20).nullable().default(null),
  /** Which limit was passed, for `timed_out`. */
  limit: z.enum(["start", "silence", "wall"]).nullable().default(null),
  retryAfterSec: z.number().min(0).max(604_800).nullable().default(null),
});
/** How a run ended, as its runner saw it. */
export type Outcome = z.infer<typeof outcome>;

const foundProgram = z.strictObject({
  adapterType: z.string().min(1).max(64),
  version: z.string().min(1).max(100).nullable(),
  findings: z.array(checkReport).max(50).describe("What is still missing for an agent without settings of its own"),
});
/** What a runner found of a program that agents can be. */
export type FoundProgram = z.infer<typeof foundProgram>;

const storedOffsets = z.object({ stdout: z.int(), stderr: z.int() });
const bodyLimitBytes = 8 * 1_048_576;

/** What runners call. It is no part of what agents and people use; only a runner's token opens it. */
export const runners = operations({
  claim: {
    method: "POST",
    path: "/api/runner/claim",
    summary: "Take queued runs; waits until there is something to tell",
    may: "runner.work",
    machinery: true,
    body: z.strictObject({
      capacity: z.int().min(0).max(1000).describe("How many more runs it can take"),
      checks: z.int().min(0).max(16).default(0).describe("How many more checks it can do"),
      labels: z.array(label).max(20).default([]),
      held: z
        .array(held.extend({ ending: z.boolean().default(false).describe("It is being ended already") }))
        .max(1000)
        .default([])
        .describe("Runs it has; whatever else is leased to it is answered again"),
      waitSec: z.number().min(0).max(longestClaimWaitSec).default(longestClaimWaitSec),
    }),
    answer: {
      kind: "record",
      schema: z.object({
        orders: z.array(runOrder),
        end: toEnd,
        forget: toForget,
        checks: z.array(checkOrder).default([]),
      }),
    },
  },
  extend: {
    method: "POST",
    path: "/api/runner/extend",
    summary: "Keep the leases of runs; says which to end and which are no longer its own",
    may: "runner.work",
    machinery: true,
    body: z.strictObject({ held: z.array(held).max(1000) }),
    answer: { kind: "record", schema: z.object({ end: toEnd, forget: toForget }) },
  },
  order: {
    method: "GET",
    path: "/api/runner/runs/:runId/order",
    summary: "The order of a run again, and what of its output is stored",
    may: "runner.work",
    query: z.strictObject({ epoch: z.coerce.number().int().min(1) }),
    answer: { kind: "record", schema: z.object({ order: runOrder, stored: storedOffsets }) },
    refusals: ["stale_lease"],
  },
  skill: {
    method: "GET",
    path: "/api/runner/runs/:runId/skills/:contentHash",
    summary: "Files of a skill that a run has",
    may: "runner.work",
    answer: {
      kind: "record",
      schema: z.object({ files: z.array(z.object({ path: z.string(), base64: z.base64() })) }),
    },
    refusals: ["stale_lease"],
  },
  start: {
    method: "POST",
    path: "/api/runner/runs/:runId/start",
    summary: "The program of a run was started",
    may: "runner.work",
    machinery: true,
    body: z.strictObject({ epoch }),
    answer: { kind: "nothing" },
    refusals: ["stale_lease"],
  },
  events: {
    method: "POST",
    path: "/api/runner/runs/:runId/events",
    summary: "What a run told of itself",
    may: "runner.work",
    machinery: true,
    body: z.strictObject({ epoch, events: events.min(1) }),
    answer: { kind: "nothing" },
    bodyLimitBytes,
    refusals: ["stale_lease"],
  },
  checked: {
    method: "POST",
    path: "/api/runner/checks/:agentId",
    summary: "What a check of an agent's settings found; about a configuration of before it changes nothing",
    may: "runner.work",
    machinery: true,
    body: z.strictObject({
      revisionId: z.uuid(),
      findings: z.array(checkReport).max(50),
    }),
    answer: { kind: "nothing" },
  },
  programs: {
    method: "POST",
    path: "/api/runner/programs",
    summary: "Which programs of agents are on the runner's machine; takes the place of what it told before",
    may: "runner.work",
    machinery: true,
    body: z.strictObject({ programs: z.array(foundProgram).max(100) }),
    answer: { kind: "nothing" },
  },
  settle: {
    method: "POST",
    path: "/api/runner/runs/:runId/settle",
    summary: "A run has ended; told again, it changes nothing",
    may: "runner.work",
    machinery: true,
    body: z.strictObject({ epoch, outcome, events: events.default([]) }),
    answer: { kind: "nothing" },
    bodyLimitBytes,
    refusals: ["stale_lease"],
  },
});
