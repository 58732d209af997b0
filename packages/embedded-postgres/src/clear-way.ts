import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { askServer } from "./ask-server.ts";
import { holderOf, orphansOf, serverOf } from "./data-holders.ts";
import { DatabaseStartError } from "./database-start-error.ts";
import { findProcess, listProcesses } from "./process-table.ts";
import { dataFolderOf, type Site } from "./site.ts";

const socketLock = ".s.PGSQL.5432.lock";

/**
 * Whether a server may be launched now. `free`: yes, and `stalePid` is what a dead one left in the lock file. `held`:
 * this process serves the folder. `elsewhere`: one that cannot be seen from here does.
 */
export type Way =
  | { readonly kind: "free"; readonly stalePid: number | null }
  | { readonly kind: "held"; readonly pid: number }
  | { readonly kind: "elsewhere" };

/** A server writes into its lock file at once; one that is empty for longer than this was never filled. */
const emptyLockPatienceSec = 2;

/** Looks at who holds the data folder while nobody answers at the socket. Throws when that cannot be judged. */
export async function findWay(site: Site): Promise<Way> {
  const { place } = site;
  const processes = await listProcesses();
  // A server that has only just been launched, by a starter that was killed since, has no lock file yet.
  const server = serverOf(processes, dataFolderOf(site));
  if (server) return { kind: "held", pid: server.pid };
  const lockPid = await pidInLockFile(join(place.data, "postmaster.pid"));
  if (lockPid === null) return { kind: "free", stalePid: null };
  if (await isServedElsewhere(site)) return { kind: "elsewhere" };
  const holder = processes.find(({ pid }) => pid === lockPid) ?? null;
  if (holderOf(holder, dataFolderOf(site)) === "unclear") {
    throw new DatabaseStartError(
      `The process ${lockPid} is a PostgreSQL server, and it cannot be seen whether it serves ${place.data}.`,
      `End the process ${lockPid} if it does; else remove ${join(place.data, "postmaster.pid")} and start again.`,
    );
  }
  return { kind: "free", stalePid: lockPid };
}

/**
 * Removes lock files that keep a server from starting and belong to none: those of sockets, which name another pid
 * than the data folder's own when a server was killed between writing the two, and empty ones, as a full disk leaves.
 */
export async function removeStaleLocks(site: Site): Promise<void> {
  const { sockets, data } = site.place;
  for (const lock of [join(sockets, socketLock), join(data, socketLock)]) {
    const pid = await pidInLockFile(lock);
    const holder = pid === null ? "unclear" : holderOf(await findProcess(pid), dataFolderOf(site));
    if (holder === "nobody" || holder === "stranger") await rm(lock, { force: true });
  }
  for (const lock of [join(sockets, socketLock), join(data, socketLock), join(data, "postmaster.pid")]) {
    const found = await stat(lock).catch(() => null);
    const isOldAndEmpty = found?.size === 0 && Date.now() - found.mtimeMs > emptyLockPatienceSec * 1000;
    if (isOldAndEmpty) await rm(lock, { force: true });
  }
}

/** Sends a signal to each server process of this data folder whose postmaster is dead. Returns their pids. */
export async function signalOrphans(site: Site, signal: NodeJS.Signals | 0): Promise<number[]> {
  const orphans = orphansOf(await listProcesses(), dataFolderOf(site));
  for (const { pid } of orphans) signalIfThere(pid, signal);
  return orphans.map(({ pid }) => pid);
}

/** Sends a signal to a process that may end at any moment. */
export function signalIfThere(pid: number, signal: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The pid in a lock file; null when there is none. A single-user server writes it negative. */
async function pidInLockFile(path: string): Promise<number | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  const pid = Math.abs(Number.parseInt(text, 10));
  return pid > 0 ? pid : null;
}

/**
 * A server in another container on the same data folder has its pid and its /tmp elsewhere; only the socket in the
 * data folder is shared with it. PostgreSQL itself would not notice it.
 */
async function isServedElsewhere({ place }: Site): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const folder = await open(place.data);
  try {
    // The data folder's own path may be longer than a socket's path can be.
    const answer = await askServer(`/proc/self/fd/${folder.fd}`, place.passwordFile, 5);
    if (answer.kind === "server") await answer.session.end();
    return answer.kind !== "nobody";
  } finally {
    await folder.close();
  }
}
