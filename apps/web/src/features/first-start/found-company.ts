import type { Agent, Approval, Company, JsonObject } from "@roster/client";
import { callOperation } from "../../api/operations.ts";
import { demoAgent, demoSkills } from "./demo-skills.ts";
import { titleOf } from "./title-of.ts";

/** What a person says at the first start. `sampleAgent` as its adapter is a script that this page brings along. */
export interface Founding {
  readonly name: string;
  readonly goal: string;
  readonly agentName: string;
  readonly adapterType: string;
  readonly adapterConfig: JsonObject;
}

/** In the place of an adapter: a script of the demo, which needs no account. */
export const sampleAgent = "sample";

/** How far it has come. What is done is not done again when a later step is tried again. */
export interface Founded {
  company: Company | null;
  hasSkills: boolean;
  hire: { readonly agent: Agent; readonly approval: Approval | null } | null;
  isHired: boolean;
}

/** Nothing is done yet. */
export const nothingFounded = (): Founded => ({ company: null, hasSkills: false, hire: null, isHired: false });

/**
 * Makes the company, hires its first agent and gives it the goal as its first issue; so it begins to work. Whoever says
 * all this is the board, so the hire is approved as it was said. Answers where the work can be seen.
 */
export async function foundCompany(founding: Founding, done: Founded): Promise<{ prefix: string; identifier: string }> {
  const { name, goal } = founding;
  done.company ??= await callOperation("companies.create", { body: { name, goal } });
  const params = { companyId: done.company.id };
  if (founding.adapterType === sampleAgent && !done.hasSkills) {
    await callOperation("skills.import", { params, body: { files: demoSkills() } });
    done.hasSkills = true;
  }
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
  title: "Chief Executive",
  icon: "crown" as const,
  permissions: { canAssignTasks: true },
  ...(adapterType === sampleAgent ? demoAgent("ceo") : { adapterType, adapterConfig }),
});
