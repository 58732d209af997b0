import { spawn } from "node:child_process";
import { dataArguments } from "./data-holders.ts";
import { launchOptions } from "./launch-options.ts";
import { programOf, type Runtime } from "./runtime.ts";
import { openServerLog } from "./server-log.ts";
import { settingsOf } from "./server-settings.ts";
import type { Site } from "./site.ts";

/** A server process that this process launched. Whether it comes up is another question. */
export interface LaunchedServer {
  readonly pid: number;
  /** Resolves when it has ended, with what it wrote to the log first; never rejects. */
  readonly ended: Promise<string>;
  /** Sends a signal unless it has ended. */
  signal(name: NodeJS.Signals): void;
  /** Lets this process end before the server does. */
  unref(): void;
}

/**
 * Launches a server in a session of its own, so that it survives this process. `stalePid` is the pid in the
 * data folder's lock file, of which it is proven that it is no server of that folder.
 */
export async function launchServer(site: Site, runtime: Runtime, stalePid: number | null): Promise<LaunchedServer> {
  const { place, account } = site;
  const settings = Object.entries(settingsOf(place, site.settings)).map(([name, value]) => `${name}=${value}`);
  const options = launchOptions(account, place.folder);
  // PostgreSQL refuses while the lock file's pid is alive under its account, be it a zombie or another program. It makes
  // an exception for the pid in this variable; the shared memory of a living server would still make it refuse.
  const env = stalePid === null ? options.env : { ...options.env, PG_GRANDPARENT_PID: String(stalePid) };
  const log = await openServerLog(place.log);
  const arguments_ = [...dataArguments(place.data), ...settings.flatMap((each) => ["-c", each]).slice(1)];
  const child = spawn(programOf(runtime, "postgres"), arguments_, {
    ...options,
    env,
    detached: true,
    stdio: ["ignore", log.file.fd, log.file.fd],
  });
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  } catch (error) {
    await log.file.close();
    throw error;
  }
  const pid = child.pid ?? 0;
  const ended = exit
    .then(() => log.wordsOf(pid))
    .catch(() => "")
    .finally(() => log.file.close());
  return {
    pid,
    ended,
    signal: (name) => void (child.exitCode === null && child.signalCode === null && child.kill(name)),
    unref: () => child.unref(),
  };
}
