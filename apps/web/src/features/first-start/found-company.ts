import type { Agent, Approval, Company, JsonObject } from "@roster/client";
import { callOperation } from "../../api/operations.ts";
import { titleOf } from "./title-of.ts";

/** What a person says at the first start. */
export interface Founding {
  readonly name: string;
  readonly goal: string;
  readonly agentName: string;
  readonly adapterType: string;
  readonly adapterConfig: JsonObject;
}

/** How far it has come. What is done is not done again when a later step is tried again. */
export interface Founded {
  company: Company | null;
  hire: { readonly agent: Agent; readonly approval: Approval | null } | null;
  isHired: boolean;
}

/** Nothing is done yet. */
export const nothingFounded = (): Founded => ({ company: null, hire: null, isHired: false });

/**
 * Makes the company, hires its first agent and gives it the goal as its first issue; so it begins to work. Whoever says
 * all this is the board, so the hire is approved as it was said. Answers where the work can be seen.
 */
export async function foundCompany(founding: Founding, done: Founded): Promise<{ prefix: string; identifier: string }> {
  const { name, goal } = founding;
  done.company ??= await callOperation("companies.create", { body: { name, goal } });
  const params = { companyId: done.company.id };
  done.hire ??= await callOperation("hires.request", { params, body: proposalOf(founding) });
  const { agent, approval } = done.hire;
  if (approval !== null && !done.isHired) {
    const { payloadDigest } = approval;
    await callOperation("approvals.approve", { params: { approvalId: approval.id }, body: { payloadDigest } });
    done.isHired = true;
  }
  const body = { title: titleOf(goal), description: goal, assigneeAgentId: agent.id };
  const { identifier } = await callOperation("issues.create", { params, body });
  return { prefix: done.company.issuePrefix, identifier };
}

const proposalOf = ({ agentName, adapterType, adapterConfig }: Founding) => ({
  name: agentName,
  role: "ceo",
  icon: "crown" as const,
  permissions: { canAssignTasks: true },
  adapterType,
  adapterConfig,
});
