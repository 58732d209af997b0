import type { Agent, agentIcons, Me } from "@roster/contract";
import type { Versioned } from "../../platform/http/index.ts";
import type { Caller } from "../../platform/scope.ts";
import { redact } from "../../platform/secrets/index.ts";
import { budgetOf, centsOf } from "../budgets/index.ts";
import type { AgentRow, getMe } from "./store.ts";

/** A stored agent as the API shows it. */
export function presentAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    companyId: row.companyId,
    urlKey: row.urlKey,
    name: row.name,
    role: row.role,
    title: row.title,
    icon: row.icon as (typeof agentIcons)[number] | null,
    reportsTo: row.reportsTo,
    capabilities: row.capabilities,
    status: row.status,
    pauseReason: row.pauseReason,
    adapterType: row.adapterType,
    adapterConfig: redact(row.adapterConfig) as Agent["adapterConfig"],
    instructionsBundle: row.instructionsBundle,
    runtimeConfig: row.runtimeConfig,
    permissions: row.permissions,
    desiredSkills: row.skills.map(({ key }) => key),
    sourceIssueId: row.sourceIssueId,
    sourceIssueIds: row.sourceIssueIds,
    budgetMonthlyCents: row.budgetMonthlyCents,
    spentMonthlyCents: centsOf(row.spentMicros),
    revisionNumber: row.revisionNumber,
    lastHeartbeatAt: row.lastHeartbeatAt?.toISOString() ?? null,
    check: presentCheck(row.check),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What a check found; of none that was done yet, that. */
export function presentCheck(check: AgentRow["check"]): Agent["check"] {
  if (check === null) return { state: "unchecked", findings: [], checkedAt: null, runnerId: null };
  const { checkedAt } = check;
  return { ...check, checkedAt: checkedAt === null ? null : new Date(checkedAt).toISOString() };
}

/** The same with the number of its ETag. */
export const versionedAgent = (row: AgentRow): Versioned<Agent> => ({ version: row.version, body: presentAgent(row) });

/** The calling agent's own record. */
export function presentMe(row: Awaited<ReturnType<typeof getMe>>, caller: Caller): Me {
  const { check: _, ...agent } = presentAgent({ ...row.agent, spentMicros: row.spentMicros, check: null });
  return {
    ...agent,
    company: row.company,
    chainOfCommand: row.chainOfCommand,
    budget: budgetOf(row.agent.budgetMonthlyCents, row.spentMicros, row.heldMicros),
    currentRun: currentRunOf(caller),
  };
}

function currentRunOf(caller: Caller): Me["currentRun"] {
  if (caller.kind !== "agent" || caller.runId === undefined || caller.run === undefined) return null;
  const { issueId, approvalId, startedAt } = caller.run;
  return { id: caller.runId, issueId, approvalId, startedAt: startedAt?.toISOString() ?? null };
}
