import type { CauseCode } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { agentAfterRun } from "../agents/index.ts";
import { raiseAttention, resolveAttention } from "../attention/index.ts";
import { boundRun, settleRoot } from "./bound-run.ts";
import { awaitTurn } from "./cause-store.ts";
import { endRunsUnderWay } from "./end-under-way.ts";
import type { Verdict } from "./outcome.ts";
import { insertRetry } from "./retry-store.ts";
import type { LockedRun, RunValues } from "./store.ts";
import { moveWakes } from "./wake-store.ts";

/** How a run ended, and what is made of that. */
export interface Conclusion {
  readonly code: CauseCode;
  readonly message: string;
  readonly verdict: Verdict;
}

/** What follows from the end of a run for its agent, for those who have to look at it, and for the next attempt. */
export async function followEnd(change: Change, locked: LockedRun, conclusion: Conclusion): Promise<void> {
  const { run, agent, others } = locked;
  const { code, message, verdict } = conclusion;
  const { failsAgent } = verdict;
  const end = { others, code, message, hasRun: run.status !== "queued", failsAgent, cause: run };
  const isTripped = await agentAfterRun(change, agent, end);
  if (isTripped) await endRunsUnderWay(change, { agentId: agent.id, why: "its agent was paused" });
  if (run.exhausted) await settleRoot(change, run.rootId);
  if (verdict.givesUp) await giveUp(change, locked, message);
  if (code === "ok" && locked.gaveUp) {
    const { entityId } = subjectOf(run);
    await resolveAttention(change, { entityIds: [entityId], kinds: ["given_up"] }, { cause: run });
  }
  if (verdict.retryAfterSec !== null) await retry(change, locked, verdict);
}

/** What the work of a run is about: people look there, and not at each run that failed of it. */
function subjectOf({ approvalId, issueId, agentId }: RunValues) {
  if (approvalId !== null) return { entityType: "approval", entityId: approvalId } as const;
  if (issueId !== null) return { entityType: "issue", entityId: issueId } as const;
  return { entityType: "agent", entityId: agentId } as const;
}

async function giveUp(change: Change, { run, agent }: LockedRun, said: string): Promise<void> {
  const message = `${agent.name} was given up after ${run.attempt} attempts. ${said} Wake it again once that is mended.`;
  await raiseAttention(change, { kind: "given_up", ...subjectOf(run), message }, { cause: run });
}

/** A new run takes the place of one that is tried again; whatever woke the first now belongs to it. */
async function retry(change: Change, { run, agent }: LockedRun, verdict: Verdict): Promise<void> {
  const attempt = run.attempt + (verdict.isSameAttempt ? 0 : 1);
  const { id: agentId, name: agentName } = agent;
  const wish = { id: newId(), agentName, attempt, afterSec: verdict.retryAfterSec ?? 0 };
  const led = await insertRetry(change, run, wish);
  await moveWakes(change, run.id, led.runId);
  change.record("run.retried", led.runId, { agentId, agentName, retryOf: run.id, attempt }, { cause: run });
  // Who stops the service is outside: what starts again afterwards is no effect of the cause.
  if (verdict.isSameAttempt) return;
  await awaitTurn(change, run.rootId);
  await boundRun(change, led, { origin: run, kind: "goes_on", turn: run.rootId });
}
