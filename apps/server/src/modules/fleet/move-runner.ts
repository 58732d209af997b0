import type { Change } from "../../platform/change.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import { Refusal } from "../../platform/refusal.ts";
import { queueSignal, stopSignal } from "../../platform/signals.ts";
import { runnerLifecycle } from "../runners/index.ts";
import { getRunner, lockRunner, type RunnerRow, updateRunner } from "./store.ts";

const actions = {
  drain: "runner.drained",
  stop: "runner.stopped",
  resume: "runner.resumed",
  remove: "runner.removed",
} as const;

/**
 * Drains, stops, resumes or removes a runner. No claim that begins after the commit gives it a run, unless it is active;
 * what a stopped one runs is asked to end within seconds. One that still has runs is not removed: nobody could tell it
 * to end them.
 */
export async function moveRunner(change: Change, id: string, move: keyof typeof actions): Promise<RunnerRow> {
  const row = await lockRunner(change, id);
  const status = nextState(runnerLifecycle, move, row.status);
  if (status === undefined) throw wrongState(runnerLifecycle, move, row.status);
  if (move === "remove" && row.runsUnderWay > 0) {
    throw new Refusal(
      "wrong_state",
      `${row.name} still has runs under way; stop it first, and wait until it has none.`,
      {
        details: [{ path: "runsUnderWay", message: `is ${row.runsUnderWay}` }],
        fix: { method: "POST", path: `/api/runners/${row.id}/stop` },
      },
    );
  }
  await updateRunner(change, row, status);
  change.record(actions[move], row.id, { name: row.name });
  change.announce(move === "resume" ? queueSignal : stopSignal);
  return move === "remove" ? row : getRunner(change, id);
}
