import { z } from "zod";
import { agent, agentChange, agentProposal } from "./agents.ts";
import { comment, commentBody, commentText } from "./comments.ts";
import { textDifference } from "./configurations.ts";
import { id, idOf, json, monthlyCents, name, time } from "./fields.ts";
import { issue } from "./issues.ts";
import { operations, pageQuery } from "./operation.ts";

/** States of an approval. approved, rejected and cancelled are final. */
export const approvalStatuses = ["pending", "revision_requested", "approved", "rejected", "cancelled"] as const;
/** What can be asked of the board. */
export const approvalTypes = ["hire_agent", "config_change", "budget_override", "board_request"] as const;

/** A question to the board, with the state of its answer. */
export const approval = z
  .object({
    id,
    companyId: id,
    type: z.enum(approvalTypes),
    status: z.enum(approvalStatuses),
    payload: json.describe("What is proposed, whole; secrets redacted"),
    payloadVersion: z.int().describe("Raised by every resubmission"),
    payloadDigest: z.string().describe("SHA-256 of the stored payload; send it with a decision to decide just this"),
    agentId: id.nullable(),
    requestedByAgentId: id.nullable(),
    requestedByUserId: id.nullable(),
    decisionNote: z.string().nullable(),
    decidedByUserId: id.nullable(),
    decidedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Approval" });
/** An approval as the API answers it. */
export type Approval = z.infer<typeof approval>;

const approvalView = approval
  .extend({
    check: agent.shape.check
      .nullable()
      .describe("Whether the agent it is about could work; null where it is about none"),
  })
  .meta({ id: "ApprovalView" });

const payloadVersion = approval
  .pick({ payload: true, payloadVersion: true, payloadDigest: true })
  .extend({ createdAt: time });
/** One version of an approval's payload. */
export type PayloadVersion = z.infer<typeof payloadVersion>;

const difference = z.object({ path: z.string(), before: z.json().nullable(), after: z.json().nullable() });

const baseRevision = z.int().min(1).describe("Number of the revision that the patch was made for");
const patch = agentChange.describe("As for changing the agent directly; a secret_ref may be named");

/** A change of an agent that is proposed to the board. */
export const configChange = z.strictObject({
  agentId: idOf("agent").describe("The agent to be changed; the one that asks, or another"),
  baseRevision: baseRevision.optional().describe("Number of the revision it was made for; default: the present one"),
  patch: patch.meta({ examples: [{ title: "Head of research" }] }),
});
/** A change of an agent that is proposed to the board. */
export type ConfigChange = z.infer<typeof configChange>;
/** What a resubmission may change of a proposed change. A patch that is named takes the place of the one before. */
export const configChangeRevision = z.strictObject({ baseRevision, patch }).partial();

/** A question to the board in words. */
export const boardRequest = z.strictObject({ title: name, body: commentText });
/** A question to the board in words. */
export type BoardRequest = z.infer<typeof boardRequest>;
/** What a resubmission may change of a question. */
export const boardRequestRevision = boardRequest.partial();

const largerBudget = monthlyCents.min(1).describe("What it may spend in a UTC month from then on, in cents");
const budgetReason = z.string().trim().min(1).max(2000).describe("What it is needed for");

/** A larger budget of an agent, asked of the board. */
export const budgetOverride = z.strictObject({
  agentId: idOf("agent").describe("Whose budget: of the agent that asks, or of one below it"),
  proposedBudgetMonthlyCents: largerBudget,
  reason: budgetReason.optional(),
});
/** A larger budget of an agent, asked of the board. */
export type BudgetOverride = z.infer<typeof budgetOverride>;
/** What a resubmission may change of it. */
export const budgetOverrideRevision = budgetOverride.omit({ agentId: true }).partial();

const issueIds = z.array(idOf("issue")).max(50).default([]).describe("Issues that it belongs to");
const question = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("config_change"), payload: configChange, issueIds }),
  z.strictObject({ type: z.literal("budget_override"), payload: budgetOverride, issueIds }),
  z.strictObject({ type: z.literal("board_request"), payload: boardRequest, issueIds }),
]);
/** The body that asks the board; hires are asked for by an operation of their own. */
export type QuestionBody = z.infer<typeof question>;

const note = z.string().max(10_000).nullable().default(null).describe("Why; the requester reads it");
const decision = z.strictObject({
  decisionNote: note,
  payloadDigest: z
    .string()
    .max(64)
    .optional()
    .describe("Refuse with payload_changed when the payload is another by now"),
});
/** The body of a decision. */
export type Decision = z.infer<typeof decision>;

const decided = { kind: "record", schema: approval, versioned: true } as const;
const decisionRefusals = ["already_decided", "wrong_state", "stale_revision", "payload_changed"] as const;

/** Operations on approvals. */
export const approvals = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/approvals",
    summary: "Approvals of a company",
    may: "approval.read",
    query: pageQuery({ status: z.enum(approvalStatuses).optional(), type: z.enum(approvalTypes).optional() }),
    answer: { kind: "page", schema: approval },
  },
  request: {
    method: "POST",
    path: "/api/companies/:companyId/approvals",
    summary: "Ask the board: to change an agent's configuration, for a larger budget, or anything in words",
    may: "approval.request",
    body: question,
    answer: { kind: "created", at: "/api/approvals/:id", schema: approval, versioned: true },
    refusals: [
      "already_exists",
      "agent_pending_approval",
      "agent_terminated",
      "stale_revision",
      "unknown_reference",
      "reporting_cycle",
      "unknown_skill",
      "ambiguous_skill",
      "redacted_placeholder",
    ],
  },
  get: {
    method: "GET",
    path: "/api/approvals/:approvalId",
    summary: "Read one approval",
    may: "approval.read",
    answer: { ...decided, schema: approvalView },
  },
  approve: {
    method: "POST",
    path: "/api/approvals/:approvalId/approve",
    summary: "Approve; what was proposed takes effect in the same change",
    may: "approval.decide",
    body: decision,
    answer: { ...decided },
    refusals: decisionRefusals,
  },
  reject: {
    method: "POST",
    path: "/api/approvals/:approvalId/reject",
    summary: "Reject for good",
    may: "approval.decide",
    body: decision,
    answer: { ...decided },
    refusals: decisionRefusals,
  },
  requestRevision: {
    method: "POST",
    path: "/api/approvals/:approvalId/request-revision",
    summary: "Send the proposal back to be changed",
    may: "approval.decide",
    body: decision,
    answer: { ...decided },
    refusals: decisionRefusals,
  },
  resubmit: {
    method: "POST",
    path: "/api/approvals/:approvalId/resubmit",
    summary: "Send a changed proposal to the board again",
    may: "approval.resubmit",
    body: z.strictObject({
      payload: json.meta({ holdsSecrets: true }).optional().describe("Merged into the present payload (RFC 7396)"),
    }),
    answer: { ...decided },
    refusals: [
      "wrong_state",
      "agent_terminated",
      "stale_revision",
      "unknown_skill",
      "ambiguous_skill",
      "unknown_reference",
      "reporting_cycle",
      "secret_in_text",
      "redacted_placeholder",
    ],
  },
  cancel: {
    method: "POST",
    path: "/api/approvals/:approvalId/cancel",
    summary: "Withdraw a question that is not decided yet",
    may: "approval.resubmit",
    body: z.strictObject({ decisionNote: note }),
    answer: { ...decided },
    refusals: decisionRefusals,
  },
  listVersions: {
    method: "GET",
    path: "/api/approvals/:approvalId/versions",
    summary: "Every version of the payload, newest first",
    may: "approval.read",
    query: pageQuery({}),
    answer: { kind: "page", schema: payloadVersion },
  },
  diff: {
    method: "GET",
    path: "/api/approvals/:approvalId/diff",
    summary: "How the present payload differs from an earlier version",
    may: "approval.read",
    query: z.strictObject({
      against: z.coerce.number().int().min(1).optional().describe("Version number; default: the one before"),
    }),
    answer: {
      kind: "record",
      schema: z.object({
        differences: z.array(difference),
        texts: z.array(textDifference).describe("Prompts and instruction files among them, line by line"),
      }),
    },
  },
  listIssues: {
    method: "GET",
    path: "/api/approvals/:approvalId/issues",
    summary: "Issues linked to an approval",
    may: "approval.read",
    query: pageQuery({}),
    answer: { kind: "page", schema: issue },
  },
  listComments: {
    method: "GET",
    path: "/api/approvals/:approvalId/comments",
    summary: "Comments on an approval, oldest first",
    may: "approval.read",
    query: pageQuery({}),
    answer: { kind: "page", schema: comment },
  },
  comment: {
    method: "POST",
    path: "/api/approvals/:approvalId/comments",
    summary: "Comment on an approval (markdown)",
    may: "approval.comment",
    body: commentBody,
    answer: { kind: "created", at: "/api/approvals/:approvalId/comments", schema: comment },
  },
  listOfIssue: {
    method: "GET",
    path: "/api/issues/:issueId/approvals",
    summary: "Approvals linked to an issue",
    may: "approval.read",
    query: pageQuery({}),
    answer: { kind: "page", schema: approval },
  },
  link: {
    method: "POST",
    path: "/api/issues/:issueId/approvals",
    summary: "Link an approval to an issue; linking twice is one link",
    may: "approval.comment",
    body: z.strictObject({ approvalId: idOf("approval") }),
    answer: { kind: "created", at: "/api/approvals/:id", schema: approval, repeatable: true },
    refusals: ["unknown_reference"],
  },
  unlink: {
    method: "DELETE",
    path: "/api/issues/:issueId/approvals/:approvalId",
    summary: "Remove the link between an approval and an issue",
    may: "approval.comment",
    answer: { kind: "nothing" },
  },
});

const hire = z.object({ agent, approval: approval.nullable() });
/** A hire as its request answers it; `approval` is null where none is needed. */
export type Hire = z.infer<typeof hire>;

/** Operations that hire. */
export const hires = operations({
  request: {
    method: "POST",
    path: "/api/companies/:companyId/agent-hires",
    summary: "Ask the board for a new agent",
    may: "agent.hire",
    body: agentProposal,
    answer: { kind: "created", at: "/api/agents/:agent.id", schema: hire },
    refusals: [
      "forbidden",
      "unknown_skill",
      "ambiguous_skill",
      "unknown_reference",
      "secret_in_text",
      "redacted_placeholder",
    ],
  },
});
