import { z } from "zod";
import { comment, commentBody, commentText } from "./comments.ts";
import { id, idOf, name, text, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** States of an issue in which somebody still has something to do. */
export const openIssueStatuses = ["backlog", "todo", "in_progress", "in_review", "blocked"] as const;
/** States of an issue that is over. Reopening one is a change like any other. */
export const closedIssueStatuses = ["done", "cancelled"] as const;
/** States of an issue. */
export const issueStatuses = [...openIssueStatuses, ...closedIssueStatuses] as const;
/** How urgent an issue is, most urgent first. */
export const issuePriorities = ["critical", "high", "medium", "low"] as const;

const status = z.enum(issueStatuses);
const priority = z.enum(issuePriorities);
const assigneeAgentId = idOf("agent").nullable().describe("The agent that is to do it");
const assigneeUserId = idOf("user").nullable().describe("The person that is to do it");
const parentId = idOf("issue").nullable().describe("The issue this is a part of");

/** Who works on an issue at the moment. */
const checkout = z.object({
  agentId: id,
  runId: id.nullable().describe("The run it ends with; without one it ends after 24 hours at the latest"),
  at: time,
});

/** An issue: a piece of work. */
export const issue = z
  .object({
    id,
    companyId: id,
    identifier: z.string().describe("The company's prefix and a number, such as ACM-12; never changes"),
    title: name,
    description: text,
    status,
    priority,
    assigneeAgentId: id.nullable(),
    assigneeUserId: id.nullable(),
    parentId: id.nullable(),
    createdByAgentId: id.nullable(),
    createdByUserId: id.nullable(),
    checkout: checkout.nullable().describe("null while nobody works on it"),
    startedAt: time.nullable().describe("When it was first in progress"),
    completedAt: time.nullable().describe("When it was done or cancelled; null again once reopened"),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Issue" });
/** An issue as the API answers it. */
export type Issue = z.infer<typeof issue>;

const oneAssignee = {
  path: ["assigneeUserId"],
  message: "an issue has one assignee: name an agent or a person, not both",
};
const hasOneAssignee = (body: { assigneeAgentId?: unknown; assigneeUserId?: unknown }): boolean =>
  typeof body.assigneeAgentId !== "string" || typeof body.assigneeUserId !== "string";

const createBody = z
  .strictObject({
    title: name,
    description: text.default(null),
    status: status.default("todo"),
    priority: priority.default("medium"),
    assigneeAgentId: assigneeAgentId.default(null),
    assigneeUserId: assigneeUserId.default(null),
    parentId: parentId.default(null),
  })
  .refine(hasOneAssignee, oneAssignee);
/** A proposed issue with defaults applied. */
export type IssueProposal = z.infer<typeof createBody>;

const changeBody = z
  .strictObject({
    title: name,
    description: text,
    status,
    priority,
    assigneeAgentId,
    assigneeUserId,
    parentId,
    comment: commentText.describe("Added to the issue in the same change"),
  })
  .partial()
  .refine(hasOneAssignee, oneAssignee);
/** A change of an issue: what is not named stays. */
export type IssueChange = z.infer<typeof changeBody>;

const anyStatus = issueStatuses.join("|");

/** One or more statuses in a query, separated by commas. */
const statusList = z
  .string()
  .regex(new RegExp(`^(${anyStatus})(,(${anyStatus}))*$`), `must be one or more of ${issueStatuses.join(", ")}`)
  .transform((list) => [...new Set(list.split(","))] as (typeof issueStatuses)[number][]);

const filters = {
  status: statusList.optional().describe("One or more, separated by commas: todo,in_progress"),
  priority: priority.optional(),
  assigneeAgentId: idOf("agent").optional(),
  assigneeUserId: idOf("user").optional(),
  parentId: idOf("issue").optional(),
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Found in title, description or identifier; one or two characters are looked for where words begin"),
};

const governed = { kind: "record", schema: issue, versioned: true } as const;
const unassignable = ["agent_pending_approval", "agent_paused", "agent_terminated"] as const;

/** Operations on issues and their comments. An issue is named by its id or its identifier. */
export const issues = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/issues",
    summary: "Issues of a company, newest first",
    may: "issue.read",
    query: pageQuery(filters),
    answer: { kind: "page", schema: issue },
  },
  create: {
    method: "POST",
    path: "/api/companies/:companyId/issues",
    summary: "Create an issue",
    may: "issue.write",
    body: createBody,
    answer: { kind: "created", at: "/api/issues/:id", schema: issue, versioned: true },
    refusals: [...unassignable, "unknown_reference"],
  },
  get: {
    method: "GET",
    path: "/api/issues/:issueId",
    summary: "Read one issue, by id or by identifier",
    may: "issue.read",
    answer: { ...governed },
  },
  change: {
    method: "PATCH",
    path: "/api/issues/:issueId",
    summary: "Change an issue, and comment on the change",
    may: "issue.write",
    body: changeBody,
    answer: { ...governed },
    refusals: [...unassignable, "stale_revision", "unknown_reference", "parent_cycle", "wrong_state"],
  },
  checkout: {
    method: "POST",
    path: "/api/issues/:issueId/checkout",
    summary: "Take an issue to work on it: nobody else can meanwhile",
    may: "issue.checkout",
    body: z.strictObject({
      agentId: idOf("agent").describe("Who works on it; an agent names itself"),
      expectedStatuses: z
        .array(status)
        .min(1)
        .default([...openIssueStatuses])
        .describe("Refused unless the issue is in one of these"),
    }),
    answer: { ...governed },
    refusals: [...unassignable, "checkout_held", "unknown_reference", "wrong_state"],
  },
  release: {
    method: "POST",
    path: "/api/issues/:issueId/release",
    summary: "End a checkout; what was in progress is to do again. The assignee stays",
    may: "issue.checkout",
    answer: { ...governed },
    refusals: ["wrong_state"],
  },
  listComments: {
    method: "GET",
    path: "/api/issues/:issueId/comments",
    summary: "Comments on an issue, oldest first",
    may: "issue.read",
    query: pageQuery({}),
    answer: { kind: "page", schema: comment },
  },
  addComment: {
    method: "POST",
    path: "/api/issues/:issueId/comments",
    summary: "Comment on an issue",
    may: "issue.write",
    body: commentBody,
    answer: { kind: "created", at: "/api/issues/:issueId/comments", schema: comment },
    refusals: ["wrong_state"],
  },
});
