import { z } from "zod";
import { company } from "./companies.ts";
import { id, idOf, json, monthlyCents, name, text, time, utf8Bytes } from "./fields.ts";
import { agentIcons } from "./icons.ts";
import { operations, pageQuery } from "./operation.ts";

/** States of an agent. */
export const agentStatuses = ["pending_approval", "idle", "running", "paused", "error", "terminated"] as const;
/** What a runner found when it checked the adapter's settings of an agent on its machine. */
export const checkStates = ["unchecked", "ok", "warnings", "errors"] as const;
/** How grave it is what a check found. */
export const findingSeverities = ["error", "warning"] as const;

/** Something about settings or machine that a person should know. */
export const checkFinding = z.object({ severity: z.enum(findingSeverities), message: z.string() });
/** Something about settings or machine that a person should know. */
export type CheckFinding = z.infer<typeof checkFinding>;

const check = z
  .object({
    state: z.enum(checkStates).describe("unchecked until a runner has looked, and again after each change"),
    findings: z.array(checkFinding).describe("What is missing or odd; it informs, nothing is refused for it"),
    checkedAt: time.nullable(),
    runnerId: id.nullable().describe("The runner that looked, on its own machine"),
  })
  .meta({ id: "AgentCheck" });
/** What a runner found when it checked an agent's settings on its machine. */
export type AgentCheck = z.infer<typeof check>;

/** Who or what paused an agent. */
export const pauseReasons = ["board", "budget", "breaker"] as const;

const heartbeat = z.strictObject({
  enabled: z.boolean().default(false).describe("Timer heartbeats; leave off unless recurring work is wanted"),
  intervalSec: z
    .int()
    .min(10)
    .max(2_592_000)
    .optional()
    .describe("Seconds between timer heartbeats; needed when enabled"),
  wakeOnDemand: z.boolean().default(true).describe("May be woken on demand"),
  skipWhenIdle: z.boolean().default(false).describe("Skip a timer heartbeat while no work is open"),
});

/** How and how often an agent runs. */
export const runtimeConfig = z
  .strictObject({
    heartbeat: heartbeat.prefault({}),
    maxConcurrentRuns: z.int().min(1).max(100).default(1).describe("Runs of this agent at one time"),
    maxRunCostCents: monthlyCents
      .min(1)
      .optional()
      .describe("Most one run may cost: held of the budget at its start, and one that costs as much is ended"),
    queueTimeoutSec: z
      .int()
      .min(10)
      .max(2_592_000)
      .optional()
      .describe("Seconds after which a run that still waits is ended; without it runs wait until they can start"),
  })
  .superRefine((value, context) => {
    if (value.heartbeat.enabled && value.heartbeat.intervalSec === undefined) {
      context.addIssue({
        code: "custom",
        path: ["heartbeat", "intervalSec"],
        message: "needed when heartbeat.enabled is true, for example 3600",
      });
    }
  });
/** A complete runtime configuration, defaults applied. */
export type RuntimeConfig = z.infer<typeof runtimeConfig>;

/** What an agent may do beyond working on its own issues. */
export const agentPermissions = z.strictObject({
  canCreateAgents: z.boolean().default(false).describe("Hire where the company asks for no approval"),
  canManageSkills: z.boolean().default(false).describe("Import skills and sync those of others"),
  canAssignTasks: z.boolean().default(false).describe("Assign issues to anyone"),
});
/** A complete set of agent permissions. */
export type AgentPermissions = z.infer<typeof agentPermissions>;

const fileName = z
  .string()
  .min(1)
  .max(500)
  .refine((path) => isInnerPath(path), "must be relative, with / between parts and without . or .. parts");

/** True for a relative path that stays inside its folder. */
export function isInnerPath(path: string): boolean {
  return !path.includes("\\") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Instruction files, placed where the adapter's program looks for them. */
export const instructionsBundle = z
  .strictObject({
    entryFile: fileName.default("AGENTS.md").describe("The file the program reads first; one of files"),
    files: z.record(fileName, z.string()).describe("File name to text; at most 100 files, 512 KiB together"),
  })
  .superRefine((bundle, context) => {
    const names = Object.keys(bundle.files);
    const size = names.reduce((sum, file) => sum + utf8Bytes(bundle.files[file] ?? ""), 0);
    if (names.length > 100) context.addIssue({ code: "custom", path: ["files"], message: "at most 100 files" });
    if (size > 524_288) context.addIssue({ code: "custom", path: ["files"], message: "at most 512 KiB together" });
    if (!names.includes(bundle.entryFile)) {
      context.addIssue({ code: "custom", path: ["entryFile"], message: "must be one of the files" });
    }
  });
/** A complete instructions bundle. */
export type InstructionsBundle = z.infer<typeof instructionsBundle>;

/** Settings of the adapter; `env` is the one place where secrets may stand. */
const settings = json.meta({ holdsSecrets: true });

const role = z.string().trim().min(1).max(64).describe("Free text, such as engineer");
const identity = {
  name: name.describe("What people call it"),
  role,
  title: z.string().trim().max(200).nullable().describe("Job title people read"),
  icon: z.enum(agentIcons).nullable().describe("One of the names in /llms/agent-icons.txt"),
  reportsTo: idOf("agent").nullable().describe("The manager; null when none"),
  capabilities: text.describe("What the agent owns and can do, for those who assign work"),
};
const adapterType = z.string().max(64).describe("One of the adapters listed by /llms/agent-configuration.txt");
const budget = monthlyCents.describe("Most it may spend in a UTC month, in cents; 0 is no limit");
const desiredSkills = z
  .array(z.string().trim().min(1).max(300))
  .max(200)
  .describe("Company skills: each an id, a canonical key or a unique slug");
const sourceIssue = idOf("issue").describe("Issue that led to the hire");

/** An agent as the API answers it; secrets in `adapterConfig` are redacted. */
export const agent = z
  .object({
    id,
    companyId: id,
    urlKey: z.string(),
    ...identity,
    status: z.enum(agentStatuses),
    pauseReason: z.enum(pauseReasons).nullable(),
    adapterType: z.string(),
    adapterConfig: json,
    instructionsBundle: z.object({ entryFile: z.string(), files: z.record(z.string(), z.string()) }).nullable(),
    runtimeConfig: z.object({
      heartbeat: z.object({
        enabled: z.boolean(),
        intervalSec: z.int().optional(),
        wakeOnDemand: z.boolean(),
        skipWhenIdle: z.boolean(),
      }),
      maxConcurrentRuns: z.int(),
      maxRunCostCents: z.int().optional(),
      queueTimeoutSec: z.int().optional(),
    }),
    permissions: z.object({ canCreateAgents: z.boolean(), canManageSkills: z.boolean(), canAssignTasks: z.boolean() }),
    desiredSkills: z.array(z.string()).describe("Canonical skill keys"),
    sourceIssueId: id.nullable(),
    sourceIssueIds: z.array(id),
    budgetMonthlyCents: monthlyCents,
    spentMonthlyCents: z.int(),
    revisionNumber: z.int().describe("Number of the present configuration revision"),
    lastHeartbeatAt: time.nullable(),
    check: check.describe("Whether it can work where its runner is"),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Agent" });
/** An agent as the API answers it. */
export type Agent = z.infer<typeof agent>;

/** The body of a direct creation and of a hire request. */
export const agentProposal = z.strictObject({
  name,
  role: role.default("general"),
  title: identity.title.default(null),
  icon: identity.icon.default(null),
  reportsTo: identity.reportsTo.default(null),
  capabilities: identity.capabilities.default(null),
  adapterType,
  adapterConfig: settings.default({}).describe("Settings of the adapter: /llms/agent-configuration/<adapterType>.txt"),
  instructionsBundle: instructionsBundle.nullable().default(null).describe("Instruction files of the agent"),
  desiredSkills: desiredSkills.default([]),
  runtimeConfig: runtimeConfig.prefault({}).describe("When and how often it runs"),
  permissions: agentPermissions.prefault({}).describe("What it may do beyond its own issues"),
  budgetMonthlyCents: budget.default(0),
  sourceIssueId: sourceIssue.nullable().default(null),
  sourceIssueIds: z.array(sourceIssue).max(50).default([]).describe("Issues that led to the hire"),
});
/** A proposed agent with defaults applied. */
export type AgentProposal = z.infer<typeof agentProposal>;

/** The body of a change of an agent. */
export const agentChange = z
  .strictObject({
    ...identity,
    adapterType,
    adapterConfig: settings.describe("Merged (RFC 7396); replaced when adapterType changes"),
    instructionsBundle: instructionsBundle.nullable(),
    desiredSkills,
    runtimeConfig: z.record(z.string(), z.unknown()).describe("Merged (RFC 7396)"),
    permissions: agentPermissions,
    budgetMonthlyCents: budget,
  })
  .partial();
/** A change of an agent: what is not named stays. */
export type AgentChange = z.infer<typeof agentChange>;

/** What a resubmission may change of a proposed agent, as a merge patch of the payload. */
export const hireRevision = agentChange.extend({
  permissions: json.optional(),
  instructionsBundle: json.nullable().optional(),
});

const manager = z.object({ id, name, title: z.string().nullable(), role: z.string() });

/** The calling agent's own record. */
export const me = agent
  .omit({ check: true })
  .extend({
    company: company.pick({ id: true, name: true, issuePrefix: true, status: true, goal: true }),
    chainOfCommand: z.array(manager).describe("Nearest manager first"),
    budget: z.object({
      monthlyCents: monthlyCents,
      spentCents: z.int(),
      reservedCents: z.int(),
      remainingCents: z.int().nullable().describe("null without a limit"),
    }),
    currentRun: z
      .object({ id, issueId: id.nullable(), approvalId: id.nullable(), startedAt: time.nullable() })
      .nullable()
      .describe("The run of the credential; null with an agent key"),
  })
  .meta({ id: "Me" });
/** The calling agent's own record. */
export type Me = z.infer<typeof me>;

/** One place in the reporting tree. */
export interface OrgNode {
  id: string;
  name: string;
  role: string;
  title: string | null;
  icon: string | null;
  status: (typeof agentStatuses)[number];
  reports: OrgNode[];
}
const orgNode: z.ZodType<OrgNode> = z
  .object({
    id,
    name: z.string(),
    role: z.string(),
    title: z.string().nullable(),
    icon: z.string().nullable(),
    status: z.enum(agentStatuses),
    get reports() {
      return z.array(orgNode);
    },
  })
  .meta({ id: "OrgNode" });

const governed = { kind: "record", schema: agent, versioned: true } as const;

/** Operations on agents. */
export const agents = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/agents",
    summary: "Agents of a company",
    may: "agent.read",
    query: pageQuery({ status: z.enum(agentStatuses).optional() }, 200),
    answer: { kind: "page", schema: agent },
  },
  create: {
    method: "POST",
    path: "/api/companies/:companyId/agents",
    summary: "Create an agent directly",
    may: "agent.create",
    body: agentProposal,
    answer: { kind: "created", at: "/api/agents/:id", schema: agent, versioned: true },
    refusals: [
      "approval_required",
      "unknown_reference",
      "unknown_skill",
      "ambiguous_skill",
      "redacted_placeholder",
      "already_exists",
    ],
  },
  org: {
    method: "GET",
    path: "/api/companies/:companyId/org",
    summary: "The reporting tree",
    may: "agent.read",
    answer: { kind: "record", schema: z.object({ roots: z.array(orgNode), truncated: z.boolean() }) },
  },
  me: {
    method: "GET",
    path: "/api/agents/me",
    summary: "The calling agent's own record",
    may: "agent.me",
    answer: { kind: "record", schema: me },
    refusals: ["agent_credential_required"],
  },
  get: {
    method: "GET",
    path: "/api/agents/:agentId",
    summary: "Read one agent, by id or by urlKey",
    may: "agent.read",
    query: z.strictObject({ companyId: idOf("company").optional().describe("Where a urlKey is looked up") }),
    answer: { ...governed },
  },
  change: {
    method: "PATCH",
    path: "/api/agents/:agentId",
    summary: "Change an agent",
    may: "agent.configure",
    body: agentChange,
    answer: { ...governed },
    refusals: [
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
  pause: {
    method: "POST",
    path: "/api/agents/:agentId/pause",
    summary: "Stop an agent: its runs end and its credentials are suspended",
    may: "agent.govern",
    answer: { ...governed },
    refusals: ["wrong_state"],
  },
  resume: {
    method: "POST",
    path: "/api/agents/:agentId/resume",
    summary: "Let a paused agent work again",
    may: "agent.govern",
    answer: { ...governed },
    refusals: ["wrong_state"],
  },
  terminate: {
    method: "POST",
    path: "/api/agents/:agentId/terminate",
    summary: "End an agent for good",
    may: "agent.govern",
    answer: { ...governed },
    refusals: ["wrong_state"],
  },
  clearError: {
    method: "POST",
    path: "/api/agents/:agentId/clear-error",
    summary: "Make an agent in error idle again",
    may: "agent.govern",
    answer: { ...governed },
    refusals: ["wrong_state"],
  },
});
