import { z } from "zod";
import { id, monthlyCents, name, text, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** States of a company. Paused starts no run; archived is read-only until resumed. */
export const companyStatuses = ["active", "paused", "archived"] as const;

const issuePrefix = z
  .string()
  .regex(/^[A-Z][A-Z0-9]{1,9}$/, "2 to 10 capital letters or digits, a letter first")
  .describe("First part of issue identifiers; unique in the deployment");

const settings = {
  description: text,
  goal: text,
  requireBoardApprovalForNewAgents: z.boolean(),
  agentsMayCreateKeys: z.boolean(),
  budgetMonthlyCents: monthlyCents,
  runOutputDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe("How long the output of its runs is kept after they ended; null for as long as the deployment says"),
};

/** A company: the container of everything else. */
export const company = z
  .object({
    id,
    name,
    issuePrefix,
    status: z.enum(companyStatuses),
    ...settings,
    spentMonthlyCents: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Company" });
/** A company as the API answers it. */
export type Company = z.infer<typeof company>;

const createBody = z.strictObject({
  name,
  issuePrefix: issuePrefix.optional().describe("Derived from the name when absent"),
  description: settings.description.default(null),
  goal: settings.goal.default(null),
  requireBoardApprovalForNewAgents: settings.requireBoardApprovalForNewAgents.default(true),
  agentsMayCreateKeys: settings.agentsMayCreateKeys.default(true),
  budgetMonthlyCents: settings.budgetMonthlyCents.default(0),
  runOutputDays: settings.runOutputDays.default(null),
});

const changeBody = z.strictObject({ name, ...settings }).partial();

/** Operations on companies. */
export const companies = operations({
  list: {
    method: "GET",
    path: "/api/companies",
    summary: "Companies the caller can see",
    may: "company.list",
    query: pageQuery({
      issuePrefix: z.string().max(64).optional().describe("The one with this prefix, where it is seen"),
    }),
    answer: { kind: "page", schema: company },
  },
  create: {
    method: "POST",
    path: "/api/companies",
    summary: "Create a company; the caller becomes its owner",
    may: "company.create",
    body: createBody,
    answer: { kind: "created", at: "/api/companies/:id", schema: company, versioned: true },
    refusals: ["already_exists"],
  },
  get: {
    method: "GET",
    path: "/api/companies/:companyId",
    summary: "Read one company",
    may: "company.read",
    answer: { kind: "record", schema: company, versioned: true },
  },
  change: {
    method: "PATCH",
    path: "/api/companies/:companyId",
    summary: "Change settings of a company",
    may: "company.change",
    body: changeBody,
    answer: { kind: "record", schema: company, versioned: true },
    refusals: ["stale_revision", "wrong_state"],
  },
  pause: {
    method: "POST",
    path: "/api/companies/:companyId/pause",
    summary: "Stop every start and end running runs",
    may: "company.change",
    answer: { kind: "record", schema: company, versioned: true },
    refusals: ["wrong_state"],
  },
  resume: {
    method: "POST",
    path: "/api/companies/:companyId/resume",
    summary: "Make a paused or archived company active again",
    may: "company.change",
    answer: { kind: "record", schema: company, versioned: true },
    refusals: ["wrong_state"],
  },
  archive: {
    method: "POST",
    path: "/api/companies/:companyId/archive",
    summary: "Put a company away: nothing in it changes until it is resumed",
    may: "company.change",
    answer: { kind: "record", schema: company, versioned: true },
    refusals: ["wrong_state"],
  },
});
