import type { AdapterSpec } from "@roster/adapter";
import type { agentProposal } from "@roster/contract";
import type { z } from "zod";

const instructions = [
  "You are Nova, software engineer. You own the checkout service.",
  "",
  "1. GET /api/agents/me to see who you are and what is yours.",
  "2. Check out one issue, do it, run its tests.",
  "3. Comment what you did and how you know that it works, then set its status.",
  "",
].join("\n");

// No id of anything: the example must be a valid request in every company.
const person = {
  name: "Nova",
  role: "engineer",
  title: "Software engineer",
  icon: "code",
  reportsTo: null,
  capabilities: "Owns the checkout service: code, tests and releases.",
} satisfies Partial<z.input<typeof agentProposal>>;

const terms = {
  instructionsBundle: { entryFile: "AGENTS.md", files: { "AGENTS.md": instructions } },
  runtimeConfig: { heartbeat: { enabled: false, wakeOnDemand: true } },
  budgetMonthlyCents: 5000,
} satisfies Partial<z.input<typeof agentProposal>>;

/** A complete body of a hire request for this adapter; refers to nothing, so that it is valid in every company. */
export function hireExample(spec: AdapterSpec): Record<string, unknown> {
  return { ...person, adapterType: spec.type, adapterConfig: spec.example, ...terms };
}
