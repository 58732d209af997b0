import type { Whynot } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import { isRunnerThere } from "../runners/index.ts";
import { getStanding, listOpenRuns } from "./store.ts";

/** Why an agent does not work now, and which call clears it. */
export async function whynot(scope: Scope, agentId: string): Promise<Whynot> {
  const standing = await getStanding(scope, agentId);
  const open = await listOpenRuns(scope, agentId);
  const queued = open.filter(({ status }) => status === "queued").length;
  const running = open.filter(({ status }) => status !== "queued").map(({ id }) => id);
  const facts = { ...standing, agentId, companyId: scope.companyId, queued, hasRunner: await isRunnerThere(scope) };
  return { running, queued, reasons: running.length > 0 ? [] : reasonsOf(facts) };
}

type Facts = Awaited<ReturnType<typeof getStanding>> & {
  readonly agentId: string;
  readonly companyId: string;
  readonly queued: number;
  readonly hasRunner: boolean;
};
type Reason = Whynot["reasons"][number];

/** The reasons in the order in which they have to be cleared. Pure. */
function reasonsOf(facts: Facts): Reason[] {
  const agent = `/api/agents/${facts.agentId}`;
  const company = `/api/companies/${facts.companyId}`;
  const reasons: (Reason | false)[] = [
    facts.agentStatus === "terminated" && blocked("agent_terminated", "It is terminated, for good."),
    facts.agentStatus === "pending_approval" &&
      blocked("agent_pending_approval", "The board has not decided yet whether to hire it."),
    facts.companyStatus !== "active" &&
      blocked("company_paused", `Its company is ${facts.companyStatus}.`, {
        method: "POST",
        path: `${company}/resume`,
      }),
    facts.agentStatus === "paused" &&
      blocked("agent_paused", `It is paused (${facts.pauseReason}).`, { method: "POST", path: `${agent}/resume` }),
    facts.isOverBudget &&
      blocked("over_budget", "It or its company has spent its budget of this month.", {
        method: "PATCH",
        path: agent,
        body: { budgetMonthlyCents: 0 },
      }),
    facts.queued > 0 && !facts.hasRunner && blocked("runner", "No runner has asked for work lately; start one."),
    facts.queued === 0 && {
      code: "nothing_to_do",
      message: "Nothing woke it: give it an issue, or wake it.",
      nextActor: "board",
      fix: { method: "POST", path: `${agent}/wakeup`, body: {} },
    },
  ];
  return reasons.filter((reason) => reason !== false);
}

const blocked = (code: string, message: string, fix: Reason["fix"] = null): Reason => ({
  code,
  message,
  nextActor: "board",
  fix,
});
