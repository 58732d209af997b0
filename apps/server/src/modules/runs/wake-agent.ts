import type { JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { databaseFault } from "../../platform/database/index.ts";
import { Missing, Refusal } from "../../platform/refusal.ts";
import { worksBelow } from "../agents/index.ts";
import { recordWake, type Woken } from "./record-wake.ts";
import { getStanding } from "./store.ts";
import { findWakeByKey } from "./wake-store.ts";

/** A wake on demand. */
export interface Demand {
  readonly agentId: string;
  readonly reason: string;
  readonly issueId: string | null;
  readonly payload: JsonObject;
  readonly idempotencyKey: string | null;
}

/**
 * Wakes an agent because somebody asks for it. Unlike every other wake, which is stored and waits, it is refused where
 * the agent could not run now. An agent wakes itself and those below it.
 */
export async function wakeAgent(change: Change, demand: Demand): Promise<Woken> {
  await requireSay(change, demand.agentId);
  const known = demand.idempotencyKey && (await findWakeByKey(change, demand.agentId, demand.idempotencyKey));
  if (known) return { runId: known, coalesced: true, skipped: null };
  requireAble(await getStanding(change, demand.agentId));
  const woken = await recordWake(change, { ...demand, source: "on_demand" }).catch((error: unknown) => {
    if (demand.issueId !== null && databaseFault(error)?.constraint?.endsWith("_issue_key")) {
      throw new Missing("issue", demand.issueId, "issueId");
    }
    throw error;
  });
  // Terminated since it was asked about.
  if (woken.runId === null) requireAble(await getStanding(change, demand.agentId));
  return woken;
}

async function requireSay(change: Change, agentId: string): Promise<void> {
  const { caller } = change;
  if (caller.kind !== "agent" || caller.agentId === agentId) return;
  if (await worksBelow(change, agentId, caller.agentId)) return;
  throw new Refusal(
    "forbidden",
    "An agent wakes itself and those who report to it; others it reaches by a comment or by giving them an issue.",
  );
}

type Standing = Awaited<ReturnType<typeof getStanding>>;

function requireAble(standing: Standing): void {
  const { agentName, agentStatus, companyStatus, runtimeConfig } = standing;
  const isPausedByBudget = agentStatus === "paused" && standing.pauseReason === "budget";
  if (agentStatus === "pending_approval") {
    throw new Refusal("agent_pending_approval", `${agentName} waits for approval; it runs once it is approved.`);
  }
  if (agentStatus === "terminated")
    throw new Refusal("agent_terminated", `${agentName} is terminated; it runs no more.`);
  if (agentStatus === "paused" && !isPausedByBudget)
    throw new Refusal("agent_paused", `${agentName} is paused; resume it first.`);
  if (companyStatus !== "active") {
    throw new Refusal("company_paused", `Its company is ${companyStatus}; resume it first.`, {
      details: [{ path: "company.status", message: `is ${companyStatus}` }],
    });
  }
  // What runs under way hold comes back, or becomes spent: until then, it waits.
  const spent = standing.lacks.filter(({ by }) => by === "spent");
  if (isPausedByBudget || spent.length > 0) {
    const whose = spent[0]?.holder ?? "agent";
    throw new Refusal(
      "over_budget",
      `${agentName} or its company has spent its budget of this month; raise it first.`,
      {
        details: [{ path: `${whose}.budgetMonthlyCents`, message: "is spent for this month" }],
      },
    );
  }
  if (!runtimeConfig.heartbeat.wakeOnDemand) {
    throw new Refusal(
      "wake_disabled",
      `${agentName} is not to be woken on demand (runtimeConfig.heartbeat.wakeOnDemand).`,
      {
        fix: { method: "PATCH", body: { runtimeConfig: { heartbeat: { wakeOnDemand: true } } } },
      },
    );
  }
}
