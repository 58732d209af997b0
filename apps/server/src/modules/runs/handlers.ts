import type { Contract, RunEvent } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Signals } from "../../platform/signals.ts";
import { cancelRun } from "./cancel-run.ts";
import { listChain } from "./cause-store.ts";
import { type CompleteNeeds, completeRun } from "./complete-run.ts";
import { listEvents, readLog } from "./event-store.ts";
import { presentEvent, presentLink, presentRun } from "./present.ts";
import type { Woken } from "./record-wake.ts";
import { releaseRun } from "./release-run.ts";
import type { SettleNeeds } from "./settle-run.ts";
import { getRun, listRuns } from "./store.ts";
import { wakeAgent } from "./wake-agent.ts";
import { type WhynotNeeds, whynot } from "./whynot.ts";

/** What these operations need of the process they run in. */
export interface RunNeeds extends SettleNeeds, WhynotNeeds, CompleteNeeds {
  readonly signals: Signals;
}

const followEveryMs = 1000;
const followedAtOnce = 200;

/** Operations on wakes and runs. */
export const runHandlers = (needs: RunNeeds): HandlersOf<Contract["runs"]> => ({
  wakeup: async (change, { params, body }) =>
    presentWoken(
      change,
      await wakeAgent(change, { ...body, idempotencyKey: body.idempotencyKey ?? null, agentId: params.agentId }),
    ),
  invoke: async (change, { params }) => {
    const demand = { reason: "Asked for", issueId: null, payload: {}, idempotencyKey: null };
    return presentWoken(change, await wakeAgent(change, { ...demand, agentId: params.agentId }));
  },
  whynot: (scope, { params }) => whynot(scope, needs, params.agentId),
  list: async (scope, { query: { limit, cursor, ...which } }) => {
    const rows = await listRuns(scope, { limit: limit + 1, before: decodeCursor(cursor, isId), ...which });
    return pageOf(rows, limit, ({ run }) => run.id, presentRun);
  },
  get: async (scope, { params }) => {
    const row = await getRun(scope, params.runId);
    return { ...presentRun(row), chain: (await listChain(scope, row.run)).map(presentLink) };
  },
  cancel: async (change, { params }) => {
    await cancelRun(change, needs, params.runId);
    return presentRun(await getRun(change, params.runId));
  },
  complete: (change, { params, body }) => completeRun(change, needs, params.runId, body).then(() => undefined),
  release: async (change, { params }) => {
    await releaseRun(change, params.runId);
    return presentRun(await getRun(change, params.runId));
  },
  log: async (scope, { params: { runId } }) => {
    const { run, lease, isForgotten } = await getRun(scope, runId);
    return {
      total: isForgotten ? 0 : (lease ?? run).logBytes,
      read: (from, to) => readLog(scope, runId, { from, to }),
    };
  },
  events: async (scope, { params: { runId }, query: { limit, cursor, after: asked } }) => {
    const after = Number(decodeCursor(cursor, isSeq) ?? asked);
    const rows = await listEvents(scope, { runId, after, limit: limit + 1 });
    if (rows.length === 0) await getRun(scope, runId);
    return {
      ...pageOf(rows, limit, (row) => String(row.seq), presentEvent),
      follow: (signal) => followEvents(needs.signals, scope, { runId, after: asked }, signal),
    };
  },
});

const isSeq = (text: string): boolean => /^\d{1,9}$/.test(text);

async function presentWoken(change: Change, { runId, coalesced, skipped }: Woken) {
  return { run: runId === null ? null : presentRun(await getRun(change, runId)), coalesced, skipped };
}

/** Events of a run as they come, until it is over and all have been told. */
async function* followEvents(
  signals: Signals,
  scope: Scope,
  { runId, after }: { runId: string; after: number },
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  const ear = signals.listen(runId);
  try {
    for (let at = after; !signal.aborted; ) {
      // Asked before reading: what was told before the end is then read after it.
      const { run } = await getRun(scope, runId);
      const rows = await listEvents(scope, { runId, after: at, limit: followedAtOnce });
      for (const row of rows) yield presentEvent(row);
      at = rows.at(-1)?.seq ?? at;
      if (rows.length === followedAtOnce) continue;
      if (run.finishedAt !== null) return;
      await ear.next(followEveryMs, signal);
    }
  } finally {
    ear.close();
  }
}
