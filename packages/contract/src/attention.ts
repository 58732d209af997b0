import { z } from "zod";
import { id, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";
import { nextActors } from "./runs.ts";

/**
 * What somebody has to look at. `agent_error`: an agent cannot work before its configuration is mended; `breaker`: it
 * was paused because its runs failed alike; `given_up`: work that was tried again failed for the last time;
 * `cause_exhausted`: one cause has led to as much as it may; `budget`: money runs out.
 */
export const attentionKinds = ["agent_error", "breaker", "given_up", "cause_exhausted", "budget"] as const;
/** Kinds of entity that call for attention; `entry` is the first entry of a chain of causes. */
export const attentionEntities = ["company", "agent", "issue", "approval", "entry"] as const;

/** Something that somebody has to look at. Of a kind there is one that is open for an entity. */
export const attention = z
  .object({
    id,
    companyId: id,
    kind: z.enum(attentionKinds),
    entityType: z.enum(attentionEntities),
    entityId: id,
    message: z.string().describe("What is the case and what ends it"),
    nextActor: z.enum(nextActors),
    createdAt: time,
    resolvedAt: time.nullable().describe("When its reason went, or somebody dismissed it"),
  })
  .meta({ id: "Attention" });
/** Something that somebody has to look at, as the API answers it. */
export type Attention = z.infer<typeof attention>;

/** Operations on what calls for attention. It comes and goes with its reasons. */
export const attentions = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/attention",
    summary: "What calls for attention, newest first",
    may: "attention.read",
    query: pageQuery({
      open: z.enum(["true", "false"]).default("true").describe("false: what is over instead"),
      kind: z.enum(attentionKinds).optional(),
      entityId: id.optional(),
    }),
    answer: { kind: "page", schema: attention },
  },
  dismiss: {
    method: "POST",
    path: "/api/attention/:attentionId/dismiss",
    summary: "End a call for attention whose reason goes on",
    may: "attention.dismiss",
    answer: { kind: "record", schema: attention },
  },
});
