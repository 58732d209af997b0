import { type Change, type ChangeHost, change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { queueSignal } from "../../platform/signals.ts";
import { agentAfterRun } from "../agents/index.ts";
import { deleteLease, listExpired, lockExpired } from "./lease-store.ts";
import { hasTwin, requeueRun } from "./requeue-store.ts";
import { type SettleNeeds, settleRun, unseen } from "./settle-run.ts";
import { lockRun } from "./store.ts";

const mostAtOnce = 100;

/**
 * Ends what was leased to runners that are gone: a run that was started is lost, and tried again as a new one; one that
 * was not goes back into the queue as it is. Only what is still expired under its lock. One that cannot be ended keeps
 * no other from it.
 */
export async function reapLostRuns(host: ChangeHost, scope: Scope, needs: SettleNeeds): Promise<void> {
  const faults: unknown[] = [];
  for (const { companyId, runId } of await listExpired(scope.db, mostAtOnce)) {
    await change(host, { ...scope, companyId }, (opened) => reap(opened, needs, runId)).catch((error: unknown) =>
      faults.push(error),
    );
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} lost runs could not be ended`);
}

/** Nothing follows for an agent, but that it rests where nothing else of it is under way. */
const neverStarted = { code: "runner_lost", message: "", hasRun: false, failsAgent: false } as const;

async function reap(opened: Change, needs: SettleNeeds, runId: string): Promise<void> {
  const locked = await lockRun(opened, runId);
  const expired = await lockExpired(opened, runId);
  if (expired === null) return;
  const { run, agent } = locked;
  // What has told something was started, whether or not that was said; told again, it would stand there twice.
  const isUnbegun = run.status === "claimed" && !expired.hasTold;
  if (isUnbegun && run.ending === null && !(await hasTwin(opened, run))) {
    await deleteLease(opened, runId);
    await requeueRun(opened, run);
    opened.record("run.requeued", runId, { agentId: agent.id, agentName: agent.name }, { cause: run });
    const { others } = locked;
    await agentAfterRun(opened, agent, { ...neverStarted, others, cause: run });
    opened.announce(queueSignal);
    return;
  }
  const ended =
    run.ending === null
      ? unseen("runner_lost", "Its runner was not heard of any more.")
      : unseen(run.ending, "Its runner was not heard of any more while it was being ended.");
  await settleRun(opened, needs, locked, { ended });
}
