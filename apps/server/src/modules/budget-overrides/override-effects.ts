import { type BudgetOverride, budgetOverrideRevision } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import { checked } from "../../platform/schema-check.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { type AgentRow, editAgent, getAgent, lockAgent, requireChangeable, worksBelow } from "../agents/index.ts";
import { lockOpenOverride, type QuestionEffects } from "../approvals/index.ts";
import { lockSaid } from "../budgets/index.ts";
import { changeCompany, lockCompany } from "../companies/index.ts";
import { type OverridePayload, overrideOf } from "./override.ts";

/** Larger budgets that the board decides about: approved, one holds at once, and what the old one paused goes on. */
export const budgetOverrideEffects = (keys: Keys): QuestionEffects<BudgetOverride> => ({
  async ask(change, wish) {
    await getAgent(change, wish.agentId, "payload.agentId");
    const row = await lockAgent(change, wish.agentId);
    await requireSay(change, row);
    requireChangeable(row);
    await requireNoneOpen(change, row);
    return { ...(await proposalOf(change, row, wish)), agentId: row.id };
  },
  async approve(change, { payload }, agent) {
    // What is stored was made by overrideOf.
    const { proposedBudgetMonthlyCents } = payload as unknown as OverridePayload;
    const patch = { budgetMonthlyCents: proposedBudgetMonthlyCents };
    if (agent === null) {
      requireLarger(await lockCompany(change), proposedBudgetMonthlyCents, "Reject this.");
      await changeCompany(change, patch, null);
      return;
    }
    requireAlive(agent);
    requireLarger(agent, proposedBudgetMonthlyCents, "Reject this.");
    const { changed } = await editAgent(change, keys, { row: agent, patch, source: "approval" });
    change.record("agent.changed", agent.id, { name: agent.name, changed });
  },
  drop: () => Promise.resolve(),
  async resubmit(change, { approval, agent, patch }) {
    const wish = checked(budgetOverrideRevision, patch, "payload");
    const stored = approval.payload as unknown as OverridePayload;
    const reason = wish.reason ?? stored.reason;
    return proposalOf(change, agent, {
      proposedBudgetMonthlyCents: wish.proposedBudgetMonthlyCents ?? stored.proposedBudgetMonthlyCents,
      ...(reason !== undefined && { reason }),
    });
  },
});

type Wish = Pick<BudgetOverride, "proposedBudgetMonthlyCents" | "reason">;

/** The proposal as things stand now; the company's, where no agent is named. */
async function proposalOf(change: Change, agent: AgentRow | null, wish: Wish) {
  const holder = agent ?? (await lockCompany(change));
  requireLarger(holder, wish.proposedBudgetMonthlyCents, "Ask for more.");
  const said = await lockSaid(change, holder.id);
  return overrideOf({ agentId: agent?.id ?? null, ...holder, ...said }, wish);
}

async function requireSay(change: Change, { id }: AgentRow): Promise<void> {
  const { caller } = change;
  if (caller.kind !== "agent" || caller.agentId === id) return;
  if (await worksBelow(change, id, caller.agentId)) return;
  throw new Refusal("forbidden", "An agent asks for a larger budget for itself and for those who report to it.");
}

async function requireNoneOpen(change: Change, { id, name }: AgentRow): Promise<void> {
  const open = await lockOpenOverride(change, id);
  if (open === null) return;
  throw new Refusal("already_exists", `The board is asked about the budget of ${name} already: comment on that.`, {
    details: [{ path: "payload.agentId", message: `is what the approval ${open.id} is about` }],
    fix: { method: "POST", path: `/api/approvals/${open.id}/comments` },
  });
}

function requireAlive({ name, status }: AgentRow): void {
  if (status !== "terminated") return;
  throw new Refusal("wrong_state", `${name} is terminated; nothing in it changes any more. Reject this.`, {
    details: [{ path: "payload.agentId", message: "is terminated" }],
  });
}

function requireLarger(
  { name, budgetMonthlyCents }: Pick<AgentRow, "name" | "budgetMonthlyCents">,
  proposed: number,
  instead: string,
): void {
  if (budgetMonthlyCents !== 0 && proposed > budgetMonthlyCents) return;
  const has = budgetMonthlyCents === 0 ? "has no limit" : `may spend ${budgetMonthlyCents} cents a month`;
  throw new Refusal("wrong_state", `${name} ${has}: this budget is no larger. ${instead}`, {
    details: [{ path: "payload.proposedBudgetMonthlyCents", message: `is no more than ${name} has` }],
  });
}
