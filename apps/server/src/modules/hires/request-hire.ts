import type { AgentProposal } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { type AgentRow, addAgent, requireMayHireFreely } from "../agents/index.ts";
import { type ApprovalRow, requestApproval } from "../approvals/index.ts";
import { getCompany } from "../companies/index.ts";
import { hirePayload, hireSubject } from "./hire-payload.ts";
import { sourcesOf } from "./sources.ts";

/** A hire as it was asked for; no approval where the company needs none. */
export interface HireRows {
  readonly agent: AgentRow;
  readonly approval: ApprovalRow | null;
}

/**
 * Asks for a new agent: agent, first revision, approval and links to the issues that led to it commit together. Where the
 * company asks for no approval the agent is ready at once, if the caller may create agents.
 */
export async function requestHire(change: Change, keys: Keys, proposal: AgentProposal): Promise<HireRows> {
  const company = await getCompany(change);
  const isFree = !company.requireBoardApprovalForNewAgents;
  if (isFree) requireMayHireFreely(change);
  const issues = await sourcesOf(change, proposal);
  const agent = await addAgent(change, keys, proposal, isFree ? "idle" : "pending_approval");
  const { name, role, adapterType } = agent;
  if (isFree) {
    change.record("agent.created", agent.id, { name, role, adapterType });
    return { agent, approval: null };
  }
  change.record("agent.proposed", agent.id, { name, role, adapterType });
  const approval = await requestApproval(change, {
    type: "hire_agent",
    subject: hireSubject(agent),
    payload: hirePayload(agent),
    agentId: agent.id,
    issues,
  });
  return { agent, approval };
}
