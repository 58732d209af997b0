import { instanceId } from "@roster/contract";
import type { Accounts } from "./modules/accounts/index.ts";
import { type JudgeNeeds, judgeBudgets } from "./modules/budget-overrides/index.ts";
import { endStoppedRuns } from "./modules/fleet/index.ts";
import {
  endOverdueRuns,
  forgetOldSessions,
  forgetOutput,
  keepAlive,
  reapLostRuns,
  type SettleNeeds,
} from "./modules/runs/index.ts";
import { fireTimers } from "./modules/timers/index.ts";
import type { ChangeHost } from "./platform/change.ts";
import type { Clock } from "./platform/clock.ts";
import { forgetOldKeys } from "./platform/http/index.ts";
import { newId } from "./platform/ids.ts";
import type { Log } from "./platform/log.ts";
import { noCause, type Scope } from "./platform/scope.ts";
import { budgetSignal, type Signals, stopSignal } from "./platform/signals.ts";
import { startWorkerLoop, type WorkerLoop } from "./platform/worker-loop.ts";

const upkeepEveryMs = 60_000;
const aliveEveryMs = 5_000;
/** Half the shortest interval of a timer. */
const timersEveryMs = 5_000;
/** What a server that was killed has not judged, and the turn of a month, wait at most so long. */
const stoppingEveryMs = 5_000;
const judgingEveryMs = 30_000;

/** What the loops work with. */
export interface LoopNeeds {
  readonly accounts: Accounts;
  readonly signals: Signals;
  readonly judging: JudgeNeeds;
  readonly clock: Clock;
  readonly log: Log;
  readonly settling: SettleNeeds;
  /** How long the output of runs is kept; null for ever. */
  readonly runOutputDays: number | null;
}

/** Work that comes round again and again; where it has a signal, also at once when that is heard. */
interface Loop {
  readonly name: string;
  readonly everyMs: number;
  readonly signal?: string;
  readonly round: () => Promise<void>;
}

/** Starts what a server does by itself; rows decide which of several servers does it. Ends when the returned is called. */
export function startLoops(host: ChangeHost, needs: LoopNeeds): () => Promise<void> {
  const loops = [...upkeepLoops(host, needs), ...runLoops(host, needs)].map((loop) => start(needs, loop));
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}

const upkeepLoops = ({ database }: ChangeHost, { accounts, clock, runOutputDays }: LoopNeeds): readonly Loop[] => [
  { name: "idempotency", everyMs: upkeepEveryMs, round: () => forgetOldKeys(database, clock()) },
  { name: "sessions", everyMs: upkeepEveryMs, round: () => accounts.forgetEnded(clock()) },
  { name: "old agent sessions", everyMs: upkeepEveryMs, round: () => forgetOldSessions(database) },
  { name: "old output", everyMs: upkeepEveryMs, round: () => forgetOutput(database, runOutputDays) },
];

function runLoops(host: ChangeHost, { clock, judging, settling }: LoopNeeds): readonly Loop[] {
  const system = (): Scope => systemScope(host, clock());
  // In this order: after an outage no lease is judged before it has got its reprieve.
  const reap = async (): Promise<void> => {
    await keepAlive(host.database);
    await reapLostRuns(host, system(), settling);
  };
  return [
    { name: "lost runs", everyMs: aliveEveryMs, round: reap },
    { name: "overdue runs", everyMs: aliveEveryMs, round: () => endOverdueRuns(host, system(), settling) },
    {
      name: "budgets",
      everyMs: judgingEveryMs,
      signal: budgetSignal,
      round: () => judgeBudgets(host, system(), judging),
    },
    {
      name: "stopped runs",
      everyMs: stoppingEveryMs,
      signal: stopSignal,
      round: () => endStoppedRuns(host, system()),
    },
    { name: "timers", everyMs: timersEveryMs, round: () => fireTimers(host, system()) },
  ];
}

const systemScope = ({ database }: ChangeHost, now: Date): Scope => ({
  companyId: instanceId,
  caller: { kind: "system" },
  cause: noCause,
  db: database.reader,
  now,
  requestId: newId(),
});

function start({ signals, log }: LoopNeeds, { signal, ...how }: Loop): Pick<WorkerLoop, "stop"> {
  const loop = startWorkerLoop({ ...how, log });
  if (signal === undefined) return loop;
  const ear = signals.listen(signal);
  const hearing = (async () => {
    while (ear.isOpen) if (await ear.next(how.everyMs)) loop.wake();
  })();
  return {
    stop: async () => {
      ear.close();
      await Promise.all([hearing, loop.stop()]);
    },
  };
}
