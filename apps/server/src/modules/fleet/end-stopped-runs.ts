import { type ChangeHost, change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { endRunsUnderWay, lockRun } from "../runs/index.ts";
import { listStopping } from "./store.ts";

const mostAtOnce = 1000;

/**
 * Asks for the end of what goes on though its runner, or the whole deployment, was stopped: also of a run that was
 * claimed at the same moment. Found by the rows, so that any server does it, whoever stopped it.
 */
export async function endStoppedRuns(host: ChangeHost, scope: Scope): Promise<void> {
  for (const { companyId, runId } of await listStopping(scope.db, mostAtOnce)) {
    await change(host, { ...scope, companyId }, async (opened) => {
      const { run } = await lockRun(opened, runId);
      if (run.ending !== null || run.finishedAt !== null) return;
      await endRunsUnderWay(opened, { runId, why: "its runner was stopped", ending: "service_stop" });
    });
  }
}
