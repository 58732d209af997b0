import type { AgentProposal } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { type CompanyRow, getCompany } from "../companies/index.ts";
import { addAgent } from "./add-agent.ts";
import type { AgentRow } from "./store.ts";

/** What a creation needs beside the proposal. */
export interface CreationNeeds {
  readonly keys: Keys;
  /** Refuses a proposal that names issues the company does not have. */
  readonly requireSources: (change: Change, proposal: AgentProposal) => Promise<unknown>;
}

/** Creates an agent directly, ready to work. An agent may only where the company asks for no approval. */
export async function createAgent(
  change: Change,
  { keys, requireSources }: CreationNeeds,
  proposal: AgentProposal,
): Promise<AgentRow> {
  const company = await getCompany(change);
  requireMayCreate(change, company);
  await requireSources(change, proposal);
  const row = await addAgent(change, keys, proposal, "idle");
  change.record("agent.created", row.id, { name: row.name, role: row.role, adapterType: row.adapterType });
  return row;
}

function requireMayCreate({ caller, companyId }: Change, company: CompanyRow): void {
  if (caller.kind !== "agent") return;
  if (company.requireBoardApprovalForNewAgents) {
    throw new Refusal("approval_required", "This company hires with approval: send the same body as a hire request.", {
      fix: { method: "POST", path: `/api/companies/${companyId}/agent-hires` },
    });
  }
  requireMayHireFreely({ caller });
}

/** Refuses an agent that would bring another into being without approval and has no permission to. */
export function requireMayHireFreely({ caller }: Pick<Change, "caller">): void {
  if (caller.kind !== "agent" || caller.permissions.canCreateAgents) return;
  throw new Refusal("forbidden", "This agent may not create agents (permission canCreateAgents).");
}
