import type { Whynot } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import type { Lack } from "../budgets/index.ts";
import { isRunnerThere } from "../runners/index.ts";
import { type OpenOverrides, overBudgetReasons } from "./over-budget.ts";
import { findLastMessage, getStanding, listOpenRuns, type OpenRun } from "./store.ts";

/** What it takes to say which call clears a reason. */
export interface WhynotNeeds {
  /** The open question about the budget of an agent, or of the company (null), by its id. */
  readonly findOpenOverride: (scope: Scope, agentId: string | null) => Promise<string | null>;
  /** The open question whether to hire an agent. */
  readonly findOpenHire: (scope: Scope, agentId: string) => Promise<OpenHire | null>;
}

/** A question whether to hire an agent that is not decided. */
export interface OpenHire {
  readonly id: string;
  /** It waits for a decision; else for its requester to revise it. */
  readonly isPending: boolean;
}

/** Why an agent does not work now, and which call clears it. */
export async function whynot(scope: Scope, needs: WhynotNeeds, agentId: string): Promise<Whynot> {
  const standing = await getStanding(scope, agentId);
  const open = await listOpenRuns(scope, agentId);
  const queued = open.filter(({ status }) => status === "queued");
  const underWay = open.filter(({ status }) => status !== "queued");
  const isAtWork = underWay.some(({ status, ending }) => status === "running" && ending === null);
  const asksHire = standing.agentStatus === "pending_approval";
  const saysLast = standing.agentStatus === "error" || standing.pauseReason === "breaker";
  const facts = {
    ...standing,
    agentId,
    companyId: scope.companyId,
    queued,
    unsettled: underWay,
    hasRunner: await isRunnerThere(scope, standing.labels),
    lastMessage: saysLast ? await findLastMessage(scope, agentId) : null,
    hire: asksHire ? await needs.findOpenHire(scope, agentId) : null,
    overrides: await overridesOf(scope, needs, { agentId, lacks: standing.lacks }),
  };
  const running = underWay.map(({ id }) => id);
  return { running, queued: queued.length, reasons: isAtWork ? [] : reasonsOf(facts) };
}

async function overridesOf(
  scope: Scope,
  { findOpenOverride }: WhynotNeeds,
  { agentId, lacks }: { agentId: string; lacks: readonly Lack[] },
): Promise<OpenOverrides> {
  const find = async (holder: Lack["holder"], id: string | null): Promise<string | null> =>
    lacks.some((lack) => lack.holder === holder) ? findOpenOverride(scope, id) : null;
  return { agent: await find("agent", agentId), company: await find("company", null) };
}

type Facts = Awaited<ReturnType<typeof getStanding>> & {
  readonly overrides: OpenOverrides;
  readonly agentId: string;
  readonly companyId: string;
  readonly queued: readonly OpenRun[];
  /** Runs under way, of which none is at work: they have not begun, or are to end. */
  readonly unsettled: readonly OpenRun[];
  readonly hasRunner: boolean;
  readonly hire: OpenHire | null;
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
  // What its budget paused goes on once there is room in it.
  const isPausedByBudget = facts.pauseReason === "budget" && facts.lacks.length > 0;
  const reasons: (Reason | false)[] = [
    facts.isServiceStopped &&
      blocked("service_stopped", "No run starts in any company: an operator has stopped the service.", {
        method: "POST",
        path: "/api/instance/resume",
      }),
    facts.companyStatus !== "active" &&
      blocked("company_paused", `Its company is ${facts.companyStatus}.`, resume(company)),
    facts.agentStatus === "pending_approval" && notHired(facts),
    facts.agentStatus === "paused" &&
      !isPausedByBudget &&
      blocked("agent_paused", `It is paused (${facts.pauseReason}).${whyTripped(facts)}`, resume(agent)),
    facts.agentStatus === "error" &&
      blocked("agent_error", `Its last run could not work: ${facts.lastMessage ?? "see there."}`, {
        method: "POST",
        path: `${agent}/clear-error`,
      }),
    ...overBudgetReasons(facts, { agent, company }),
    ...unsettledReasons(facts),
    facts.queued.length > 0 && !facts.hasRunner && blocked("runner", noRunner),
    ...waitReasons(facts),
    facts.queued.length + facts.unsettled.length === 0 && nothingToDo(facts, agent),
  ];
  return reasons.filter((reason) => reason !== false);
}

const noRunner =
  "No runner that may take its work, with all the labels it asks for, has asked for any lately; start one.";

function notHired({ hire }: Facts): Reason {
  const said = "The board has not decided yet whether to hire it.";
  const revise = "The board wants its hire to be revised; resubmit it.";
  const approval = `/api/approvals/${hire?.id ?? ""}`;
  if (hire === null) return blocked("agent_pending_approval", said);
  return hire.isPending
    ? blocked("agent_pending_approval", said, { method: "POST", path: `${approval}/approve`, body: {} })
    : blocked("agent_pending_approval", revise, { method: "POST", path: `${approval}/resubmit`, body: {} });
}

const whyTripped = ({ pauseReason, lastMessage }: Facts): string =>
  pauseReason === "breaker" ? ` Its last runs failed alike: ${lastMessage ?? "see there."}` : "";

/** Of runs that are under way and of which none is at work. */
function unsettledReasons({ unsettled }: Facts): Reason[] {
  const passing = (code: string, message: string): Reason => ({ code, message, nextActor: "service", fix: null });
  const [unstarted] = unsettled.filter(({ status, ending }) => status === "claimed" && ending === null);
  if (unstarted !== undefined) {
    const since = unstarted.claimedAt?.toISOString() ?? "";
    const message = `A runner took its run ${unstarted.id} at ${since} and has not started it yet. If it does not, the run ends, or goes back into the queue.`;
    return [passing("starting", message)];
  }
  return unsettled.length === 0 ? [] : [passing("ending", "Its run is being ended.")];
}

/** Of what is queued, where nothing of it may start. */
function waitReasons({ queued }: Facts): Reason[] {
  if (queued.some(({ isExhausted, isBackingOff }) => !isExhausted && !isBackingOff)) return [];
  const exhausted = queued.find(({ isExhausted }) => isExhausted);
  const backingOff = queued.some(({ isExhausted, isBackingOff }) => !isExhausted && isBackingOff);
  const release = { method: "POST", path: `/api/heartbeat-runs/${exhausted?.id ?? ""}/release` };
  const reasons: (Reason | false)[] = [
    exhausted !== undefined && blocked("cause_exhausted", "What began its work has led to as much as it may.", release),
    backingOff && { code: "backoff", message: "It is tried again later.", nextActor: "service", fix: null },
  ];
  return reasons.filter((reason) => reason !== false);
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
