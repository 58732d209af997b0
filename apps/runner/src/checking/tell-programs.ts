import { insist, wait } from "../calling/insist.ts";
import { reasonOf } from "../calling/refusals.ts";
import type { Server } from "../calling/server.ts";
import type { Log } from "../log.ts";
import { findPrograms, type KnownVersions } from "./find-programs.ts";

/** Somebody who installs a program wants to see soon that it is found. */
const lookEveryMs = 60_000;

interface Telling {
  readonly server: Server;
  readonly log: Log;
  /** From where it is looked. */
  readonly folder: string;
}

/**
 * Tells which programs of agents are on this machine, at the start and every minute, until `signal` is aborted. It
 * insists on each until a server has heard it.
 */
export async function tellPrograms({ server, log, folder }: Telling, signal: AbortSignal): Promise<void> {
  const versions: KnownVersions = new Map();
  while (!signal.aborted) {
    try {
      const found = await findPrograms(folder, versions);
      await insist(() => server.programs(found, signal), { signal, onFailure: () => undefined });
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: reasonOf(error) }, "the programs that were found were not told");
    }
    await wait(lookEveryMs, signal);
  }
}
