import { instanceId } from "@roster/contract";
import { settling } from "./interface.ts";
import { keepAlive, reapLostRuns } from "./modules/runs/index.ts";
import type { ChangeHost } from "./platform/change.ts";
import type { Clock } from "./platform/clock.ts";
import { forgetOldKeys } from "./platform/http/index.ts";
import { newId } from "./platform/ids.ts";
import type { Log } from "./platform/log.ts";
import { noCause, type Scope } from "./platform/scope.ts";
import { startWorkerLoop } from "./platform/worker-loop.ts";

const upkeepEveryMs = 60_000;
const aliveEveryMs = 5_000;

/** Starts what a server does by itself; rows decide which of several servers does it. Ends when the returned is called. */
export function startLoops(host: ChangeHost, clock: Clock, log: Log): () => Promise<void> {
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
