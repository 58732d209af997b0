import type { Whynot } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import { isRunnerThere } from "../runners/index.ts";
import { findLastMessage, getStanding, listOpenRuns } from "./store.ts";

/** Why an agent does not work now, and which call clears it. */
export async function whynot(scope: Scope, agentId: string): Promise<Whynot> {
  const standing = await getStanding(scope, agentId);
  const open = await listOpenRuns(scope, agentId);
  const queued = open.filter(({ status }) => status === "queued");
  const running = open.filter(({ status }) => status !== "queued").map(({ id }) => id);
  const facts = {
    ...standing,
    agentId,
    companyId: scope.companyId,
    queued: queued.length,
    isBackingOff: queued.length > 0 && queued.every(({ isBackingOff }) => isBackingOff),
    hasRunner: await isRunnerThere(scope, standing.labels),
    lastMessage: standing.agentStatus === "error" ? await findLastMessage(scope, agentId) : null,
  };
  return { running, queued: queued.length, reasons: running.length > 0 ? [] : reasonsOf(facts) };
}

type Facts = Awaited<ReturnType<typeof getStanding>> & {
  readonly agentId: string;
  readonly companyId: string;
  readonly queued: number;
  /** All that is queued waits for its time. */
  readonly isBackingOff: boolean;
  readonly hasRunner: boolean;
  /** What was said of its last run, where that could not work. */
  readonly lastMessage: string | null;
};
type Reason = Whynot["reasons"][number];

/** The reasons in the order in which they have to be cleared. Pure. */
function reasonsOf(facts: Facts): Reason[] {
  if (facts.agentStatus === "terminated") return [blocked("agent_terminated", "It is terminated, for good.")];
  const agent = `/api/agents/${facts.agentId}`;
  const company = `/api/companies/${facts.companyId}`;
  const resume = (path: string) => ({ method: "POST", path: `${path}/resume` });
  const reasons: (Reason | false)[] = [
    facts.agentStatus === "pending_approval" &&
      blocked("agent_pending_approval", "The board has not decided yet whether to hire it."),
    facts.companyStatus !== "active" &&
      blocked("company_paused", `Its company is ${facts.companyStatus}.`, resume(company)),
    facts.agentStatus === "paused" && blocked("agent_paused", `It is paused (${facts.pauseReason}).`, resume(agent)),
    facts.agentStatus === "error" &&
      blocked("agent_error", `Its last run could not work: ${facts.lastMessage ?? "see there."}`, {
        method: "POST",
        path: `${agent}/clear-error`,
      }),
    ...overBudgetReasons(facts, { agent, company }),
    facts.queued > 0 && !facts.hasRunner && blocked("runner", noRunner),
    facts.isBackingOff && { code: "backoff", message: "It is tried again later.", nextActor: "service", fix: null },
    facts.queued === 0 && nothingToDo(facts, agent),
  ];
  return reasons.filter((reason) => reason !== false);
}

const noRunner =
  "No runner that may take its work, with all the labels it asks for, has asked for any lately; start one.";

function overBudgetReasons(
  { isOverBudget, isCompanyOverBudget }: Facts,
  { agent, company }: { agent: string; company: string },
): Reason[] {
  const unlimited = { budgetMonthlyCents: 0 };
  const blame = (who: string, path: string): Reason =>
    blocked("over_budget", `${who} has spent its budget of this month.`, { method: "PATCH", path, body: unlimited });
  if (!isOverBudget) return [];
  return [isCompanyOverBudget ? blame("Its company", company) : blame("It", agent)];
}

function nothingToDo({ runtimeConfig }: Facts, agent: string): Reason {
  const fix = { method: "POST", path: `${agent}/wakeup`, body: {} };
  const isWakeable = runtimeConfig.heartbeat.wakeOnDemand;
  return {
    code: "nothing_to_do",
    message: isWakeable ? "Nothing woke it: give it an issue, or wake it." : "Nothing woke it: give it an issue.",
    nextActor: "board",
    fix: isWakeable ? fix : null,
  };
}

const blocked = (code: string, message: string, fix: Reason["fix"] = null): Reason => ({
  code,
  message,
  nextActor: "board",
  fix,
});
