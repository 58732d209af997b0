import { z } from "zod";
import { id, idOf, json, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** What can wake an agent. */
export const wakeSources = [
  "timer",
  "on_demand",
  "assignment",
  "comment",
  "mention",
  "approval",
  "routine",
  "child_done",
  "unblocked",
  "retry",
] as const;

/** States of a run that is not over. */
export const openRunStatuses = ["queued", "claimed", "running"] as const;
/** States of a run that is over; none is ever left. */
export const finalRunStatuses = ["succeeded", "failed", "timed_out", "cancelled", "lost"] as const;
/** States of a run. */
export const runStatuses = [...openRunStatuses, ...finalRunStatuses] as const;

/** Why a queued run does not start: the first of these that holds. */
export const waitingReasons = [
  "service_stopped",
  "agent_paused",
  "company_paused",
  "over_budget",
  "cause_exhausted",
  "backoff",
  "concurrency",
  "runner",
] as const;

/** Why a run under way is being ended. */
export const endingReasons = ["cancelled", "service_stop", "budget_exhausted"] as const;

/** Why a run ended. */
export const causeCodes = [
  "ok",
  "agent_error",
  "adapter_missing",
  "adapter_misconfigured",
  "auth_failed",
  "rate_limited",
  "timed_out",
  "output_limit",
  "cancelled",
  "service_stop",
  "budget_exhausted",
  "runner_lost",
  "internal",
] as const;
/** Why a run ended. */
export type CauseCode = (typeof causeCodes)[number];

/** Who has to do something after a run ended: nobody, the board, or the service itself, which tries again. */
export const nextActors = ["nobody", "board", "service"] as const;

/** Why a wake led to no run. */
export const skipReasons = ["self_caused"] as const;

const wake = z.object({
  id,
  source: z.enum(wakeSources),
  reason: z.string(),
  payload: json,
  causeSeq: z.int().nullable().describe("Entry of the activity log that led to it"),
  createdAt: time,
});

/** Most wakes of a run that an answer shows, the newest. */
export const shownWakes = 50;

/** A run: one execution of an agent. */
export const run = z
  .object({
    id,
    companyId: id,
    agentId: id,
    issueId: id.nullable(),
    approvalId: id.nullable(),
    status: z.enum(runStatuses),
    ending: z.enum(endingReasons).nullable().describe("Why it is being ended, while it still runs"),
    waitingFor: z.enum(waitingReasons).nullable().describe("Why a queued run does not start; runner: no free one yet"),
    wakes: z.array(wake).describe(`What led to it, oldest first; at most the newest ${shownWakes}`),
    attempt: z.int().describe("1, and one more for each retry"),
    retryOf: id.nullable(),
    runnerId: id.nullable(),
    revision: z
      .object({ id, number: z.int(), contentHash: z.string() })
      .nullable()
      .describe("The configuration it runs with; null until it is claimed"),
    cause: z
      .object({ code: z.enum(causeCodes), message: z.string(), nextActor: z.enum(nextActors) })
      .nullable()
      .describe("Why it ended; null until it has"),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    usage: z.object({
      inputTokens: z.int(),
      cachedInputTokens: z.int(),
      outputTokens: z.int(),
      costCents: z.int(),
    }),
    log: z.object({
      bytes: z.int().describe("As long as it is kept"),
      truncated: z.boolean().describe("A part in the middle was left out"),
      forgotten: z.boolean().describe("Log and events were removed after the time for which output is kept"),
    }),
    createdAt: time,
    claimedAt: time.nullable(),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
  })
  .meta({ id: "Run" });
/** A run as the API answers it. */
export type Run = z.infer<typeof run>;

/** Most entries of a chain of causes that an answer shows. */
export const longestChain = 30;

/** A run with what led to it. */
const runWithChain = run
  .extend({
    chain: z
      .array(
        z.object({
          seq: z.int(),
          action: z.string(),
          hops: z.int().describe("Wakes from what began it to here"),
          sentence: z.string().describe("Without who did it"),
        }),
      )
      .describe(
        `Entries of the log from its wake back to what began it, which is always the last; at most the nearest ${longestChain}`,
      ),
  })
  .meta({ id: "RunWithChain" });
/** A run with what led to it, as the API answers it. */
export type RunWithChain = z.infer<typeof runWithChain>;

/** What a run tells of itself. `gap` stands where output was left out. */
export const runEventKinds = [
  "output",
  "message",
  "tool_call",
  "tool_result",
  "usage",
  "session",
  "result",
  "gap",
] as const;
/** The outputs of a program. */
export const outputStreams = ["stdout", "stderr"] as const;

/** One event of a run. */
export const runEvent = z
  .object({
    seq: z.int().describe("Per run, gap-free"),
    kind: z.enum(runEventKinds),
    stream: z.enum(outputStreams).nullable(),
    text: z.string().nullable().describe("Output as text; bytes that are no UTF-8 are replaced, the log has them"),
    data: json.nullable(),
    createdAt: time,
  })
  .meta({ id: "RunEvent" });
/** One event of a run as the API answers it. */
export type RunEvent = z.infer<typeof runEvent>;

const payload = json.refine((value) => JSON.stringify(value).length <= 16_384, "at most 16 KiB as JSON");

const woken = z.object({
  run: run.nullable().describe("The run it joined or made; null when it was skipped"),
  coalesced: z.boolean().describe("It joined a run that was queued already"),
  skipped: z.enum(skipReasons).nullable(),
});

const mostTokens = 1_000_000_000_000;
const mostUsd = 1_000_000;
const tokens = z.int().min(0).max(mostTokens).default(0);

/** How a run came out, in the words of its own agent. */
const completion = z.strictObject({
  status: z.enum(["succeeded", "failed"]),
  message: z.string().max(65_536).optional().describe("What it came to, or why it failed, for people"),
  result: payload.optional().describe("The same for programs; kept with the message, as an event of the run"),
  usage: z
    .array(
      z.strictObject({
        provider: z.string().trim().min(1).max(100).optional(),
        model: z.string().trim().min(1).max(200),
        inputTokens: tokens.describe("Without those that were read from a cache"),
        cachedInputTokens: tokens,
        outputTokens: tokens,
        costUsd: z
          .number()
          .min(0)
          .max(mostUsd)
          .optional()
          .describe("What it cost, in dollars; without it the price table decides"),
      }),
    )
    .max(100)
    .default([])
    .describe("What was used and is not booked yet"),
  session: z
    .strictObject({ id: z.string().min(1).max(1000) })
    .optional()
    .describe("Handed to the next run of the agent on the same issue"),
});
/** How a run came out, in the words of its own agent. */
export type Completion = z.infer<typeof completion>;

const wakeRefusals = [
  "agent_pending_approval",
  "agent_paused",
  "agent_terminated",
  "company_paused",
  "over_budget",
  "wake_disabled",
] as const;

const whynot = z
  .object({
    running: z.array(id).describe("Runs under way"),
    queued: z.int().describe("Runs that wait"),
    reasons: z
      .array(
        z.object({
          code: z.string(),
          message: z.string(),
          nextActor: z.enum(nextActors),
          fix: z
            .object({ method: z.string(), path: z.string(), body: json.optional() })
            .nullable()
            .describe("The call that clears it"),
        }),
      )
      .describe("Why it does not work now, what must be cleared first at the top; empty when nothing hinders it"),
  })
  .meta({ id: "Whynot" });
/** Why an agent does not work now. */
export type Whynot = z.infer<typeof whynot>;

/** Operations on wakes and runs. */
export const runs = operations({
  wakeup: {
    method: "POST",
    path: "/api/agents/:agentId/wakeup",
    summary: "Wake an agent: it runs as soon as it may",
    may: "agent.wake",
    body: z.strictObject({
      reason: z.string().trim().min(1).max(500).default("Asked for").describe("Told to the agent"),
      issueId: idOf("issue").nullable().default(null).describe("The issue it is about"),
      payload: payload.default({}),
      idempotencyKey: z.string().min(1).max(255).optional().describe("The same key for an agent is one wake"),
    }),
    answer: { kind: "accepted", schema: woken },
    refusals: [...wakeRefusals, "unknown_reference"],
  },
  invoke: {
    method: "POST",
    path: "/api/agents/:agentId/heartbeat/invoke",
    summary: "Wake an agent for no particular reason",
    may: "agent.wake",
    answer: { kind: "accepted", schema: woken },
    refusals: wakeRefusals,
  },
  whynot: {
    method: "GET",
    path: "/api/agents/:agentId/whynot",
    summary: "Why an agent does not work now, and what clears it",
    may: "agent.read",
    answer: { kind: "record", schema: whynot },
  },
  list: {
    method: "GET",
    path: "/api/companies/:companyId/heartbeat-runs",
    summary: "Runs of a company, newest first",
    may: "run.read",
    query: pageQuery({
      agentId: idOf("agent").optional(),
      issueId: idOf("issue").optional().describe("Runs about this issue"),
      status: z.enum(runStatuses).optional(),
    }),
    answer: { kind: "page", schema: run },
  },
  get: {
    method: "GET",
    path: "/api/heartbeat-runs/:runId",
    summary: "Read one run, and the chain of causes that led to it",
    may: "run.read",
    answer: { kind: "record", schema: runWithChain },
  },
  cancel: {
    method: "POST",
    path: "/api/heartbeat-runs/:runId/cancel",
    summary: "End a run: its credential dies at once, its program within the grace",
    may: "run.cancel",
    answer: { kind: "record", schema: run },
    refusals: ["wrong_state"],
  },
  complete: {
    method: "POST",
    path: "/api/heartbeat-runs/:runId/complete",
    summary: "Say from within a run how it came out; one over HTTP whose order was answered with 202 ends by it",
    may: "run.complete",
    body: completion,
    answer: { kind: "nothing" },
    refusals: ["agent_credential_required", "wrong_state"],
  },
  release: {
    method: "POST",
    path: "/api/heartbeat-runs/:runId/release",
    summary: "Let a run go on that waits because its cause is exhausted: it begins anew",
    may: "run.release",
    answer: { kind: "record", schema: run },
    refusals: ["wrong_state"],
  },
  log: {
    method: "GET",
    path: "/api/heartbeat-runs/:runId/log",
    summary: "What the program printed, as it is, but for the lines that became events; takes Range",
    may: "run.read",
    answer: { kind: "bytes" },
    refusals: ["range_not_satisfiable"],
  },
  events: {
    method: "GET",
    path: "/api/heartbeat-runs/:runId/events",
    summary: "What a run tells of itself, oldest first; with Accept: text/event-stream it follows until the run ends",
    may: "run.read",
    query: pageQuery({
      after: z.coerce.number().int().min(0).default(0).describe("From the event after this seq; Last-Event-ID wins"),
    }),
    answer: { kind: "page", schema: runEvent, follows: "seq" },
  },
});
