import type { JsonObject } from "@roster/contract";
import type { AgentRow } from "../agents/index.ts";

/** The whole proposed agent, as the board decides about it. Pure. */
export function hirePayload(agent: AgentRow): JsonObject {
  const payload = {
    name: agent.name,
    role: agent.role,
    title: agent.title,
    icon: agent.icon,
    reportsTo: agent.reportsTo,
    capabilities: agent.capabilities,
    adapterType: agent.adapterType,
    adapterConfig: agent.adapterConfig,
    instructionsBundle: agent.instructionsBundle,
    desiredSkills: agent.skills.map(({ key }) => key),
    skills: agent.skills,
    runtimeConfig: agent.runtimeConfig,
    permissions: agent.permissions,
    budgetMonthlyCents: agent.budgetMonthlyCents,
    sourceIssueId: agent.sourceIssueId,
    sourceIssueIds: agent.sourceIssueIds,
  };
  return JSON.parse(JSON.stringify(payload)) as JsonObject;
}

/** A hire in the words of the log. Pure. */
export const hireSubject = ({ name, role }: AgentRow): string => `hire ${name} (${role})`;
