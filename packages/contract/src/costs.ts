import { z } from "zod";
import { id, idOf, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** Where the amount of a cost comes from: who reported it, the price table, or the rate for what is not in it. */
export const pricings = ["reported", "table", "default"] as const;

/** Most days that one question about costs covers. */
export const mostCostDays = 400;

const firstYear = "2000-01-01";
const mostTokens = 1_000_000_000;
const mostCents = 100_000_000;
const tokens = z.int().min(0).max(mostTokens);

const used = {
  provider: z.string().trim().min(1).max(100).describe("Who runs the model, such as anthropic"),
  model: z.string().trim().min(1).max(200).describe("As the provider calls it"),
};
const counted = {
  inputTokens: z.int().describe("Without those that were read from a cache"),
  cachedInputTokens: z.int(),
  outputTokens: z.int(),
  costMicros: z.int().describe("Millionths of a dollar"),
  costCents: z.int().describe("The same in cents, rounded half up"),
};

/** Something an agent used, and what it costs. It is never changed. */
export const costEvent = z
  .object({
    id,
    companyId: id,
    agentId: id,
    runId: id.nullable(),
    issueId: id.nullable(),
    provider: z.string(),
    model: z.string(),
    ...counted,
    priced: z.enum(pricings).describe("default: the model has no price, so a rate for unknown ones was applied"),
    priceVersion: z.string().nullable().describe("Version of the price table; null where the cost was reported"),
    occurredAt: time.describe("When it was used; what it counts in is the UTC day and month of createdAt"),
    createdAt: time,
  })
  .meta({ id: "CostEvent" });
/** Something an agent used, as the API answers it. */
export type CostEvent = z.infer<typeof costEvent>;

const reported = z
  .strictObject({
    agentId: idOf("agent").describe("Who used it; an agent reports for itself"),
    runId: idOf("run").optional().describe("A run of that agent; default: the run of the credential"),
    issueId: idOf("issue").optional().describe("Default: the issue of that run"),
    ...used,
    inputTokens: tokens.default(0).describe(counted.inputTokens.description ?? ""),
    cachedInputTokens: tokens.default(0),
    outputTokens: tokens.default(0),
    costCents: z.int().min(0).max(mostCents).optional().describe("What it cost; without it the price table decides"),
    costMicros: z
      .int()
      .min(0)
      .max(mostCents * 10_000)
      .optional()
      .describe("The same in millionths of a dollar"),
    occurredAt: z.iso
      .datetime()
      .refine((moment) => moment >= firstYear, "must not be before the year 2000")
      .optional()
      .describe("Default: now"),
  })
  .refine((body) => body.costCents === undefined || body.costMicros === undefined, {
    path: ["costMicros"],
    message: "must not stand beside costCents: send one of them",
  });
/** A cost as it is reported. */
export type ReportedCost = z.infer<typeof reported>;

const day = z.iso.date().refine((date) => date >= firstYear, "must not be before the year 2000");
const period = {
  from: day.optional().describe("First UTC day; default: the first of the month of to"),
  to: day.optional().describe(`Last UTC day, at most ${mostCostDays} days with it; default: today`),
};

const amounts = {
  ...counted,
  unpricedMicros: z.int().describe("Part of costMicros that was counted at the rate for unknown models"),
  unpricedCents: z.int(),
  events: z.int().describe("How many cost events"),
};
/** What was used in some days, summed up. */
export type Amounts = z.infer<z.ZodObject<typeof amounts>>;

const summary = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    ...amounts,
    days: z.array(z.object({ day: z.iso.date(), ...amounts })).describe("Days on which something was booked, in order"),
  })
  .meta({ id: "CostSummary" });
/** What a company used in a period, as the API answers it. */
export type CostSummary = z.infer<typeof summary>;

const ofAgent = z.object({ agentId: id, agentName: z.string(), ...amounts }).meta({ id: "AgentCosts" });
const ofModel = z.object({ provider: z.string(), model: z.string(), ...amounts }).meta({ id: "ModelCosts" });
/** What an agent used in a period. */
export type AgentCosts = z.infer<typeof ofAgent>;
/** How much of a model was used in a period. */
export type ModelCosts = z.infer<typeof ofModel>;

/** Operations on costs. A cost counts on the UTC day, and in the month, in which it arrives. */
export const costs = operations({
  report: {
    method: "POST",
    path: "/api/companies/:companyId/cost-events",
    summary: "Book something that an agent used; usage that a run tells is booked without it",
    may: "cost.report",
    body: reported,
    answer: { kind: "created", at: "/api/companies/:companyId/cost-events", schema: costEvent },
    refusals: ["unknown_reference"],
  },
  list: {
    method: "GET",
    path: "/api/companies/:companyId/cost-events",
    summary: "What was booked, newest first",
    may: "cost.read",
    query: pageQuery({ agentId: idOf("agent").optional(), runId: idOf("run").optional() }),
    answer: { kind: "page", schema: costEvent },
  },
  summary: {
    method: "GET",
    path: "/api/companies/:companyId/costs/summary",
    summary: "What a company spent in a period, and on which days",
    may: "cost.read",
    query: z.strictObject(period),
    answer: { kind: "record", schema: summary },
  },
  byAgent: {
    method: "GET",
    path: "/api/companies/:companyId/costs/by-agent",
    summary: "What each agent spent in a period, dearest first",
    may: "cost.read",
    query: pageQuery(period),
    answer: { kind: "page", schema: ofAgent },
  },
  byModel: {
    method: "GET",
    path: "/api/companies/:companyId/costs/by-model",
    summary: "What each model cost in a period, dearest first",
    may: "cost.read",
    query: pageQuery(period),
    answer: { kind: "page", schema: ofModel },
  },
});
