import { z } from "zod";
import { id, idOf, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

const named = z.object({ name: z.string() });
const versioned = z.object({ name: z.string(), version: z.int() });
const changed = z.object({ name: z.string(), changed: z.array(z.string()) });
const skillContent = z.object({
  key: z.string(),
  version: z.string().describe("First 12 digits of the content hash"),
  files: z.int(),
});
const decided = z.object({
  type: z.string(),
  subject: z.string(),
  payloadVersion: z.int(),
  note: z.string().nullable(),
});
const linked = z.object({ subject: z.string(), issueId: id, identifier: z.string() });
const calling = z.object({ kind: z.string(), entityType: z.string(), entityId: id, message: z.string() });
const funds = z.object({ name: z.string(), spent: z.string(), budget: z.string(), month: z.string() });
const issueNamed = z.object({ identifier: z.string(), title: z.string() });

/**
 * Every action the log can hold: the kind of entity it is about, what its details carry, and the sentence a person
 * reads, in which `{x}` is a detail. The list is closed; nothing else can be recorded.
 */
export const actions = {
  "company.created": { entity: "company", details: named, sentence: "created the company {name}" },
  "company.changed": { entity: "company", details: changed, sentence: "changed {changed} of the company {name}" },
  "company.paused": { entity: "company", details: named, sentence: "paused the company {name}" },
  "company.resumed": { entity: "company", details: named, sentence: "resumed the company {name}" },
  "company.archived": { entity: "company", details: named, sentence: "archived the company {name}" },
  "company.budget_warned": {
    entity: "company",
    details: funds,
    sentence: "warned that the company {name} has spent {spent} of the {budget} that it may in {month}",
  },
  "user.created": {
    entity: "user",
    details: z.object({ name: z.string(), how: z.string() }),
    sentence: "opened the account of {name} with {how}",
  },
  "member.added": {
    entity: "member",
    details: z.object({ name: z.string(), role: z.string() }),
    sentence: "made {name} {role} of the company",
  },
  "member.changed": {
    entity: "member",
    details: z.object({ name: z.string(), from: z.string(), to: z.string() }),
    sentence: "made {name} {to} (before: {from})",
  },
  "member.removed": {
    entity: "member",
    details: z.object({ name: z.string(), role: z.string() }),
    sentence: "removed {name} ({role}) from the company",
  },
  "invitation.created": {
    entity: "invitation",
    details: z.object({ email: z.string(), role: z.string() }),
    sentence: "invited {email} as {role}",
  },
  "invitation.revoked": {
    entity: "invitation",
    details: z.object({ email: z.string(), role: z.string() }),
    sentence: "took back the invitation of {email} as {role}",
  },
  "invitation.accepted": {
    entity: "invitation",
    details: z.object({ email: z.string(), role: z.string() }),
    sentence: "joined as {role}, invited as {email}",
  },
  "agent.created": {
    entity: "agent",
    details: z.object({ name: z.string(), role: z.string(), adapterType: z.string() }),
    sentence: "created the agent {name} ({role})",
  },
  "agent.changed": { entity: "agent", details: changed, sentence: "changed {changed} of the agent {name}" },
  "agent.paused": {
    entity: "agent",
    details: z.object({ name: z.string(), reason: z.string() }),
    sentence: "paused the agent {name} ({reason})",
  },
  "agent.resumed": { entity: "agent", details: named, sentence: "resumed the agent {name}" },
  "agent.terminated": { entity: "agent", details: named, sentence: "terminated the agent {name}" },
  "agent.error_cleared": { entity: "agent", details: named, sentence: "cleared the error of the agent {name}" },
  "agent.proposed": {
    entity: "agent",
    details: z.object({ name: z.string(), role: z.string(), adapterType: z.string() }),
    sentence: "proposed the agent {name} ({role})",
  },
  "agent.approved": { entity: "agent", details: named, sentence: "made the agent {name} ready to work" },
  "agent.revised": {
    entity: "agent",
    details: z.object({ name: z.string(), changed: z.array(z.string()) }),
    sentence: "revised the proposed agent {name}",
  },
  "agent.skills_synced": {
    entity: "agent",
    details: z.object({ name: z.string(), skills: z.array(z.string()) }),
    sentence: "synced the skills of the agent {name}: {skills}",
  },
  "agent.rolled_back": {
    entity: "agent",
    details: z.object({ name: z.string(), toRevision: z.int(), revision: z.int() }),
    sentence: "rolled the agent {name} back to revision {toRevision}",
  },
  "agent.woken": {
    entity: "agent",
    details: z.object({ name: z.string(), source: z.string(), reason: z.string(), runId: id, coalesced: z.boolean() }),
    sentence: "woke {name}: {reason}",
  },
  "agent.budget_warned": {
    entity: "agent",
    details: funds,
    sentence: "warned that {name} has spent {spent} of the {budget} that it may in {month}",
  },
  "agent.failed": {
    entity: "agent",
    details: z.object({ name: z.string(), cause: z.string() }),
    sentence: "put {name} into error: {cause}",
  },
  "run.claimed": {
    entity: "run",
    details: z.object({ agentId: id, agentName: z.string(), runnerId: id, runner: z.string(), attempt: z.int() }),
    sentence: "handed a run of {agentName} to the runner {runner}",
  },
  "run.started": {
    entity: "run",
    details: z.object({ agentId: id, agentName: z.string() }),
    sentence: "started {agentName}",
  },
  "run.requeued": {
    entity: "run",
    details: z.object({ agentId: id, agentName: z.string() }),
    sentence: "put a run of {agentName} that was never started back into the queue",
  },
  "run.retried": {
    entity: "run",
    details: z.object({ agentId: id, agentName: z.string(), retryOf: id, attempt: z.int() }),
    sentence: "queued the work of {agentName} again, as attempt {attempt}",
  },
  "run.ending": {
    entity: "run",
    details: z.object({ agentId: id, agentName: z.string(), reason: z.string() }),
    sentence: "asked the run of {agentName} to end ({reason})",
  },
  "run.completed": {
    entity: "run",
    details: z.object({ agentId: id, agentName: z.string(), status: z.string() }),
    sentence: "said of the run of {agentName} that it has {status}",
  },
  "run.finished": {
    entity: "run",
    details: z.object({
      agentId: id,
      agentName: z.string(),
      status: z.string(),
      cause: z.string(),
      message: z.string(),
    }),
    sentence: "settled the run of {agentName} as {status}. {message}",
  },
  "master_key.rotated": {
    entity: "master_key",
    details: z.object({ version: z.int() }),
    sentence: "sealed every secret under version {version} of the master key",
  },
  "run.released": {
    entity: "run",
    details: z.object({ agentId: id, agentName: z.string() }),
    sentence: "let {agentName} go on, although what began it has led to as much as it may",
  },
  "attention.raised": { entity: "attention", details: calling, sentence: "called for attention: {message}" },
  "attention.resolved": { entity: "attention", details: calling, sentence: "took back the call: {message}" },
  "attention.dismissed": { entity: "attention", details: calling, sentence: "dismissed the call: {message}" },
  "runner.registered": { entity: "runner", details: named, sentence: "registered the runner {name}" },
  "runner.drained": { entity: "runner", details: named, sentence: "gives the runner {name} no more runs" },
  "runner.stopped": { entity: "runner", details: named, sentence: "stopped the runner {name}" },
  "runner.resumed": { entity: "runner", details: named, sentence: "gives the runner {name} runs again" },
  "runner.removed": { entity: "runner", details: named, sentence: "removed the runner {name}" },
  "instance.stopped": { entity: "instance", details: z.object({}), sentence: "stopped all runs of the deployment" },
  "instance.resumed": { entity: "instance", details: z.object({}), sentence: "let runs start again" },
  "approval.requested": { entity: "approval", details: decided, sentence: "asked for approval to {subject}" },
  "approval.approved": { entity: "approval", details: decided, sentence: "approved: {subject}" },
  "approval.rejected": { entity: "approval", details: decided, sentence: "rejected: {subject}" },
  "approval.revision_requested": {
    entity: "approval",
    details: decided,
    sentence: "asked for a revision of: {subject}",
  },
  "approval.resubmitted": {
    entity: "approval",
    details: decided,
    sentence: "resubmitted, as version {payloadVersion}: {subject}",
  },
  "approval.cancelled": { entity: "approval", details: decided, sentence: "withdrew the question: {subject}" },
  "approval.linked": { entity: "approval", details: linked, sentence: "linked {identifier} to: {subject}" },
  "approval.unlinked": { entity: "approval", details: linked, sentence: "unlinked {identifier} from: {subject}" },
  "agent_key.created": {
    entity: "agent_key",
    details: z.object({ agentId: id, agentName: z.string(), name: z.string(), prefix: z.string() }),
    sentence: "created the key {name} ({prefix}…) for the agent {agentName}",
  },
  "agent_key.revoked": {
    entity: "agent_key",
    details: z.object({ agentId: id, agentName: z.string(), name: z.string(), prefix: z.string() }),
    sentence: "revoked the key {name} ({prefix}…) of the agent {agentName}",
  },
  "secret.created": { entity: "secret", details: versioned, sentence: "stored the secret {name}" },
  "secret.rotated": {
    entity: "secret",
    details: versioned,
    sentence: "stored version {version} of the secret {name}",
  },
  "skill.imported": {
    entity: "skill",
    details: skillContent,
    sentence: "imported the skill {key} (version {version}, files: {files})",
  },
  "skill.updated": {
    entity: "skill",
    details: skillContent,
    sentence: "updated the skill {key} (version {version}, files: {files})",
  },
  "issue.created": {
    entity: "issue",
    details: issueNamed.extend({ status: z.string(), priority: z.string() }),
    sentence: "created {identifier} “{title}”",
  },
  "issue.changed": {
    entity: "issue",
    details: issueNamed.extend({ changed: z.array(z.string()) }),
    sentence: "changed {changed} of {identifier} “{title}”",
  },
  "issue.moved": {
    entity: "issue",
    details: issueNamed.extend({ from: z.string(), to: z.string() }),
    sentence: "moved {identifier} “{title}” from {from} to {to}",
  },
  "issue.assigned": {
    entity: "issue",
    details: issueNamed.extend({ agentId: id.nullable(), userId: id.nullable(), assignee: z.string() }),
    sentence: "assigned {identifier} “{title}” to {assignee}",
  },
  "issue.checked_out": {
    entity: "issue",
    details: issueNamed.extend({ agentId: id, agentName: z.string(), from: z.string() }),
    sentence: "checked out {identifier} “{title}” for {agentName}",
  },
  "issue.released": {
    entity: "issue",
    details: issueNamed.extend({ agentId: id, from: z.string(), to: z.string() }),
    sentence: "released {identifier} “{title}”",
  },
  "cost.booked": {
    entity: "cost_event",
    details: z.object({
      agentId: id,
      agentName: z.string(),
      runId: id.nullable(),
      provider: z.string(),
      model: z.string(),
      cost: z.string().describe("In dollars"),
      costMicros: z.int(),
      priced: z.string(),
    }),
    sentence: "booked {cost} for {agentName} ({provider} {model})",
  },
  "comment.created": {
    entity: "comment",
    details: z.object({ issueId: id.nullable(), approvalId: id.nullable(), subject: z.string() }),
    sentence: "commented on {subject}",
  },
} as const satisfies Record<string, { entity: string; details: z.ZodType; sentence: string }>;

/** The name of an action of the log. */
export type Action = keyof typeof actions;
/** What an entry of this action carries. */
export type ActionDetails<A extends Action> = z.infer<(typeof actions)[A]["details"]>;
/** Kinds of entity the log speaks of. */
export type EntityType = (typeof actions)[Action]["entity"];

/** The sentence of an entry without its actor, such as "created the agent Ada (engineer)". */
export function sentenceOf(action: string, details: Record<string, unknown>): string {
  const template = action in actions ? actions[action as Action].sentence : action;
  return template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = details[key];
    return Array.isArray(value) ? value.join(", ") : String(value ?? "");
  });
}

/** One entry of the activity log. */
export const activityEntry = z
  .object({
    seq: z.int().describe("Per company, gap-free, in commit order"),
    id,
    companyId: id,
    action: z.string(),
    entityType: z.string(),
    entityId: id,
    actor: z.object({
      kind: z.enum(["agent", "user", "system"]),
      id: id.nullable(),
      name: z.string(),
      runId: id.optional(),
    }),
    cause: z.object({ seq: z.int().nullable(), rootSeq: z.int(), hops: z.int() }),
    details: z.record(z.string(), z.json()),
    sentence: z.string(),
    createdAt: time,
  })
  .meta({ id: "ActivityEntry" });
/** One entry of the activity log as the API answers it. */
export type ActivityEntry = z.infer<typeof activityEntry>;

const conditions = {
  agentId: idOf("agent").optional().describe("Entries by or about this agent"),
  actor: idOf("agent").optional().describe("Entries by this agent or user"),
  entityType: z.string().max(64).optional(),
  entityId: idOf("entity").optional().describe("Entries about this, of whatever kind"),
  action: z.string().max(64).optional(),
};
const after = z.coerce.number().int().min(0);
const filters = { ...conditions, after: after.optional().describe("Ascending from the entry after this seq") };
const exported = z.strictObject({
  ...conditions,
  after: after.default(0).describe("From the entry after this seq"),
});

/** Operations on the activity log. No operation writes it. */
export const activity = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/activity",
    summary: "Who did what, newest first",
    may: "activity.read",
    query: pageQuery(filters),
    answer: { kind: "page", schema: activityEntry },
  },
  export: {
    method: "GET",
    path: "/api/companies/:companyId/activity/export",
    summary: "The log up to now as lines of JSON, oldest first, however long it is",
    may: "activity.export",
    query: exported,
    answer: { kind: "lines", schema: activityEntry },
  },
  events: {
    method: "GET",
    path: "/api/companies/:companyId/events",
    summary: "The log, oldest first; with Accept: text/event-stream it follows, from what comes next if not told where",
    may: "activity.read",
    query: pageQuery({
      ...conditions,
      after: after.optional().describe("From the entry after this seq; Last-Event-ID wins"),
    }),
    answer: { kind: "page", schema: activityEntry, follows: "seq" },
  },
  listInstance: {
    method: "GET",
    path: "/api/instance/activity",
    summary: "What happened to the deployment itself, newest first",
    may: "instance.read",
    query: pageQuery(filters),
    answer: { kind: "page", schema: activityEntry },
  },
  exportInstance: {
    method: "GET",
    path: "/api/instance/activity/export",
    summary: "The deployment's own log up to now as lines of JSON, oldest first",
    may: "instance.read",
    query: exported,
    answer: { kind: "lines", schema: activityEntry },
  },
});
