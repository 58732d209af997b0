import { z } from "zod";
import { agent } from "./agents.ts";
import { id, idOf, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** What led to a revision. */
export const revisionSources = ["create", "update", "skills_sync", "approval", "rollback"] as const;

const skillPin = z.object({ key: z.string(), contentHash: z.string() });

/** A stored state of everything that makes an agent behave as it does. */
export const revision = z
  .object({
    id,
    agentId: id,
    number: z.int().describe("1 for the first, per agent"),
    contentHash: z.string().describe("SHA-256 of the canonical form (RFC 8785); equal content, equal hash"),
    source: z.enum(revisionSources),
    changed: z.array(z.string()).describe("Paths that differ from the revision before"),
    actor: z.object({ kind: z.enum(["agent", "user", "system"]), id: id.nullable() }),
    createdAt: time,
  })
  .meta({ id: "Revision" });
/** A revision as lists show it. */
export type Revision = z.infer<typeof revision>;

const content = agent
  .pick({
    adapterType: true,
    adapterConfig: true,
    instructionsBundle: true,
    runtimeConfig: true,
    permissions: true,
    budgetMonthlyCents: true,
  })
  .extend({ skills: z.array(skillPin) });

const revisionWithContent = revision.extend({ content });
/** A revision with its content, secrets redacted. */
export type RevisionWithContent = z.infer<typeof revisionWithContent>;

/** Everything that makes an agent behave, secrets redacted. */
export const configuration = content
  .extend({
    agentId: id,
    companyId: id,
    name: z.string(),
    role: z.string(),
    title: z.string().nullable(),
    status: agent.shape.status,
    reportsTo: id.nullable(),
    desiredSkills: z.array(z.string()),
    revision: revision.pick({ id: true, number: true, contentHash: true }),
  })
  .meta({ id: "Configuration" });
/** An agent's configuration as the API answers it. */
export type Configuration = z.infer<typeof configuration>;

const difference = z.object({ path: z.string(), before: z.json().nullable(), after: z.json().nullable() });
/** One place where two revisions differ; null where one of them has nothing. */
export type Difference = z.infer<typeof difference>;

/** How a text of instructions differs between two states, for people to read. */
export const textDifference = z
  .object({
    path: z.string().describe("Where it stands now, or stood before it was removed, as differences name it"),
    previousPath: z.string().nullable().describe("Where the same text stood before, if it was renamed; else null"),
    unified: z.string().describe("Unified diff; of a text that was only renamed just its two names"),
    isWhole: z.boolean().describe("Too much differs for a comparison by lines: every line is replaced"),
  })
  .meta({ id: "TextDifference" });
/** How a text of instructions differs between two states. */
export type TextDifference = z.infer<typeof textDifference>;

const blame = z
  .object({
    path: z.string(),
    value: z.json().nullable().describe("What stands there now, secrets redacted; null for nothing"),
    revision: revision.describe("The newest one that changed it, or something in it or around it; else the first"),
  })
  .meta({ id: "Blame" });
/** Who made a field of a configuration what it is. */
export type Blame = z.infer<typeof blame>;

const agentSkill = skillPin.extend({
  state: z
    .enum(["synced", "missing", "drifted"])
    .describe("synced: runs the present version; drifted: a newer one is there; missing: the skill is gone"),
});

/** The skills of an agent and whether they are what the company has now. */
export const agentSkills = z.object({ desiredSkills: z.array(z.string()), skills: z.array(agentSkill) });
/** The skills of an agent as the API answers them. */
export type AgentSkills = z.infer<typeof agentSkills>;

/** Operations on what makes agents behave as they do. */
export const configurations = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/agent-configurations",
    summary: "Configurations of the company's agents, secrets redacted",
    may: "agent.read",
    query: pageQuery({}, 200),
    answer: { kind: "page", schema: configuration },
  },
  get: {
    method: "GET",
    path: "/api/agents/:agentId/configuration",
    summary: "Read the configuration of an agent, secrets redacted",
    may: "agent.read",
    answer: { kind: "record", schema: configuration, versioned: true },
  },
  listRevisions: {
    method: "GET",
    path: "/api/agents/:agentId/config-revisions",
    summary: "Revisions of an agent's configuration, newest first",
    may: "agent.read",
    query: pageQuery({}),
    answer: { kind: "page", schema: revision },
  },
  blame: {
    method: "GET",
    path: "/api/agents/:agentId/config-revisions/blame",
    summary: "Which revision made a field of the configuration what it is, by whom and when",
    may: "agent.read",
    query: z.strictObject({
      path: z
        .string()
        .min(1)
        .max(500)
        .describe("As revisions and differences name it, such as adapterConfig.model")
        .meta({ examples: ["adapterType"] }),
    }),
    answer: { kind: "record", schema: blame },
  },
  getRevision: {
    method: "GET",
    path: "/api/agents/:agentId/config-revisions/:revisionId",
    summary: "Read one revision with its content",
    may: "agent.read",
    answer: { kind: "record", schema: revisionWithContent },
  },
  diff: {
    method: "GET",
    path: "/api/agents/:agentId/config-revisions/:revisionId/diff",
    summary: "What a revision changed, or how it differs from another",
    may: "agent.read",
    query: z.strictObject({ against: idOf("agent_revision").optional().describe("Default: the revision before") }),
    answer: {
      kind: "record",
      schema: z.object({
        differences: z.array(difference),
        texts: z.array(textDifference).describe("The prompt and the instruction files among them, line by line"),
      }),
    },
    refusals: ["unknown_reference"],
  },
  rollback: {
    method: "POST",
    path: "/api/agents/:agentId/config-revisions/:revisionId/rollback",
    summary: "Make an earlier revision the present one, as a new revision",
    may: "agent.configure",
    answer: { kind: "record", schema: z.object({ agent, revision }), versioned: true },
    refusals: ["agent_pending_approval", "agent_terminated", "stale_revision"],
  },
  getSkills: {
    method: "GET",
    path: "/api/agents/:agentId/skills",
    summary: "The skills of an agent and whether they are current",
    may: "agent.read",
    answer: { kind: "record", schema: agentSkills },
  },
  syncSkills: {
    method: "POST",
    path: "/api/agents/:agentId/skills/sync",
    summary: "Set the skills of an agent, at their present versions",
    may: "agent.sync_skills",
    body: z.strictObject({
      desiredSkills: z
        .array(z.string().trim().min(1).max(300))
        .max(200)
        .optional()
        .describe("Skill ids, keys or slugs; absent: bring what the agent has to the present versions"),
      mode: z.enum(["replace", "add", "remove"]).default("replace"),
    }),
    answer: { kind: "record", schema: agentSkills },
    refusals: ["unknown_skill", "ambiguous_skill", "unknown_reference", "agent_pending_approval", "agent_terminated"],
  },
});
