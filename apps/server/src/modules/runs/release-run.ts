import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import { letGoOn } from "./bound-run.ts";
import { lockRun } from "./store.ts";

/** Lets a run go on that waits because its cause is exhausted: who releases it begins anew. One that goes on stays. */
export async function releaseRun(change: Change, runId: string): Promise<void> {
  const { run, agent } = await lockRun(change, runId);
  if (run.finishedAt !== null) {
    throw new Refusal("wrong_state", `This run is over: it is ${run.status}.`, {
      details: [{ path: "status", message: `is ${run.status}`, allowed: ["queued"] }],
    });
  }
  if (!run.exhausted) return;
  const causeId = change.record("run.released", run.id, { agentId: agent.id, agentName: agent.name });
  await letGoOn(change, { runId, rootId: run.rootId }, { causeId, rootId: change.rootId ?? causeId, hops: 1 });
}
