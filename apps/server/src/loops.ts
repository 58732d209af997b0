import { instanceId } from "@roster/contract";
import type { Accounts } from "./modules/accounts/index.ts";
import { keepAlive, reapLostRuns, type SettleNeeds } from "./modules/runs/index.ts";
import type { ChangeHost } from "./platform/change.ts";
import type { Clock } from "./platform/clock.ts";
import { forgetOldKeys } from "./platform/http/index.ts";
import { newId } from "./platform/ids.ts";
import type { Log } from "./platform/log.ts";
import { noCause, type Scope } from "./platform/scope.ts";
import { startWorkerLoop } from "./platform/worker-loop.ts";

const upkeepEveryMs = 60_000;
const aliveEveryMs = 5_000;

/** What the loops work with. */
export interface LoopNeeds {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly settling: SettleNeeds;
}

/** Starts what a server does by itself; rows decide which of several servers does it. Ends when the returned is called. */
export function startLoops(host: ChangeHost, { accounts, clock, log, settling }: LoopNeeds): () => Promise<void> {
  const system = (): Scope => ({
    companyId: instanceId,
    caller: { kind: "system" },
    cause: noCause,
    db: host.database.reader,
    now: clock(),
    requestId: newId(),
  });
  const loops = [
    startWorkerLoop({
      name: "idempotency",
      everyMs: upkeepEveryMs,
      round: () => forgetOldKeys(host.database, clock()),
      log,
    }),
    startWorkerLoop({
      name: "sessions",
      everyMs: upkeepEveryMs,
      round: () => accounts.forgetEnded(clock()),
      log,
    }),
    // In this order: after an outage no lease is judged before it has got its reprieve.
    startWorkerLoop({
      name: "lost runs",
      everyMs: aliveEveryMs,
      round: async () => {
        await keepAlive(host.database);
        await reapLostRuns(host, system(), settling);
      },
      log,
    }),
  ];
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}
