import { extendEverySec } from "@roster/contract";
import { wait } from "./calling/insist.ts";
import type { Server } from "./calling/server.ts";
import { Checks } from "./checking/checks.ts";
import { tellPrograms } from "./checking/tell-programs.ts";
import { ClaimLoop } from "./holding/claim-loop.ts";
import { extendLeases } from "./holding/extend-loop.ts";
import { HeldRuns } from "./holding/held-runs.ts";
import type { Log } from "./log.ts";
import { SkillCache } from "./preparing/skill-cache.ts";
import type { RunnerHome } from "./runner-home.ts";

/** Runs that no server has been heard of for so long are ended. */
const usualOrphanAfterSec = 1800;
/** When the runner is stopped, no run has longer to end, whatever its agent's settings say. */
const stopGraceSec = 10;
const settleMs = 5000;

/** With what a runner works. */
export interface RunnerOptions {
  readonly home: RunnerHome;
  readonly server: Server;
  readonly log: Log;
  readonly capacity: number;
  readonly labels: readonly string[];
  readonly extendEverySec?: number;
  readonly orphanAfterSec?: number;
}

/** A runner at work. */
export interface Runner {
  /**
   * Takes no more runs, ends those it has and tells the server. Resolves when that is done; where no server is there to
   * be told, after 5 seconds, and the next start tells it.
   */
  stop(): Promise<void>;
}

/** Takes up what an earlier runner has left, and then claims, keeps and executes runs until it is stopped. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { home, server, log, capacity, labels } = options;
  const skills = new SkillCache(home.skills);
  const held: HeldRuns = new HeldRuns({ home, server, log, skills }, () => loop.freed());
  const checks = new Checks({ server, home, log });
  const loop = new ClaimLoop({ server, held, checks, log, capacity, labels });
  await skills.prune();
  await held.adopt();
  const keeping = new AbortController();
  const everySec = options.extendEverySec ?? extendEverySec;
  const orphanAfterSec = options.orphanAfterSec ?? usualOrphanAfterSec;
  const kept = extendLeases({ server, held, log, everySec, orphanAfterSec }, keeping.signal);
  const claimed = loop.run();
  const told = tellPrograms({ server, log, folder: home.folder }, keeping.signal);
  const stop = async (): Promise<void> => {
    log.info({ runs: held.count }, "stopping");
    loop.stop();
    checks.stop();
    await claimed;
    held.endAll("service_stop", stopGraceSec);
    await held.programsEnded();
    const over = new AbortController();
    await Promise.race([held.done(), wait(settleMs, over.signal)]);
    over.abort();
    held.leaveAll();
    await held.done();
    keeping.abort();
    await Promise.all([kept, told]);
  };
  return { stop };
}
