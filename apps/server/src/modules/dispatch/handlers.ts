import { isDeepStrictEqual } from "node:util";
import type { Contract } from "@roster/contract";
import { change } from "../../platform/change.ts";
import type { HandlersOf } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RunnerCaller, Scope } from "../../platform/scope.ts";
import { storeCheck } from "../agents/index.ts";
import { keepPrograms, noteSighting } from "../runners/index.ts";
import {
  extendLeases,
  findLease,
  listLeases,
  lockRun,
  requireLease,
  settleRun,
  staleLease,
  startRun,
  tellEvents,
} from "../runs/index.ts";
import { type DispatchNeeds, hearRunner, standingOf } from "./hear-runner.ts";
import { makeOrder } from "./make-order.ts";
import { listSkillFiles } from "./store.ts";

/** Operations of runners. */
export const runnerHandlers = (needs: DispatchNeeds): HandlersOf<Contract["runners"]> => ({
  claim: async (scope, { body, gone }) => {
    const { runnerId, name, companyIds, seenWith } = runnerOf(scope);
    if (!isDeepStrictEqual(seenWith, body.labels)) await noteSighting(needs.host.database, runnerId, body.labels);
    const claimant = { runnerId, name, companyIds, labels: body.labels };
    return hearRunner(scope, needs, { claimant, ...body }, gone);
  },
  extend: async (scope, { body: { held } }) => {
    const { runnerId } = runnerOf(scope);
    await extendLeases(needs.host.database, runnerId, held);
    return standingOf(await listLeases(scope.db, runnerId), held);
  },
  order: async (scope, { params: { runId }, query: { epoch } }) => {
    const lease = await requireLease(scope, { runId, epoch, runnerId: runnerOf(scope).runnerId });
    const order = await makeOrder(scope, needs, runId);
    if (order === null) throw staleLease();
    return { order, stored: { stdout: lease.storedStdout, stderr: lease.storedStderr } };
  },
  skill: async (scope, { params }) => {
    const lease = await findLease(scope, params.runId);
    if (lease?.runnerId !== runnerOf(scope).runnerId) throw staleLease();
    const files = await listSkillFiles(scope, params.contentHash);
    if (files.length === 0) throw new Refusal("not_found", "The company of this run has no skill with this content.");
    return { files: files.map(({ path, content }) => ({ path, base64: content.toString("base64") })) };
  },
  start: (scope, { params: { runId }, body: { epoch } }) =>
    startRun(needs.host, scope, { runId, epoch, runnerId: runnerOf(scope).runnerId }).then(() => undefined),
  events: (scope, { params: { runId }, body: { epoch, events } }) =>
    tellEvents(needs, scope, { runId, epoch, runnerId: runnerOf(scope).runnerId }, events).then(() => undefined),
  checked: async (scope, { params: { agentId }, body: { revisionId, findings } }) => {
    const { runnerId } = runnerOf(scope);
    await storeCheck(needs.host.database, scope, { agentId, revisionId, runnerId, findings });
    return undefined;
  },
  programs: async (scope, { body: { programs } }) => {
    await keepPrograms(needs.host.database, runnerOf(scope).runnerId, programs);
    return undefined;
  },
  settle: (scope, { params: { runId }, body: { epoch, outcome, events } }) =>
    change(needs.host, scope, async (opened) => {
      const locked = await lockRun(opened, runId);
      const { run } = locked;
      if (run.epoch !== epoch || run.runnerId !== runnerOf(scope).runnerId) throw staleLease();
      await settleRun(opened, needs, locked, { ended: outcome, told: events });
      return undefined;
    }),
});

function runnerOf({ caller }: Scope): RunnerCaller {
  if (caller.kind !== "runner") throw new Error("the permission table let someone else than a runner in");
  return caller;
}
