import type { ProcessEntry } from "./process-table.ts";

/** What tells the processes of one data folder from all others. */
export interface DataFolder {
  /** The real path of the data folder. */
  readonly data: string;
  readonly clusterName: string;
  /** The account's uid: others' processes may say about themselves what they like. */
  readonly uid: number;
}

/** Who a pid in a server's lock file belongs to now. */
export type LockHolder = "nobody" | "postmaster" | "stranger" | "unclear";

/**
 * Judges the process that has the pid of a lock file. `postmaster` means that it serves this data folder, `stranger`
 * that it is proven not to; `unclear` is a PostgreSQL server of which neither can be seen.
 */
export function holderOf(entry: ProcessEntry | null, folder: DataFolder): LockHolder {
  if (entry === null) return "nobody";
  if (entry.uid !== folder.uid) return "stranger";
  if (!isPostmaster(entry)) return "stranger";
  if (servesByCommand(entry, folder)) return "postmaster";
  if (entry.cwd !== null) return entry.cwd === folder.data ? "postmaster" : "stranger";
  return "unclear";
}

/** The server of this data folder. A child that it has only just forked still has its command. */
export function serverOf(entries: readonly ProcessEntry[], folder: DataFolder): ProcessEntry | null {
  const servers = entries.filter((entry) => holderOf(entry, folder) === "postmaster");
  const pids = new Set(servers.map(({ pid }) => pid));
  return servers.find(({ parentPid }) => !pids.has(parentPid)) ?? null;
}

/**
 * The server processes of this data folder whose postmaster is dead. They still hold its shared memory, and no new
 * server starts before they are gone.
 */
export function orphansOf(entries: readonly ProcessEntry[], folder: DataFolder): ProcessEntry[] {
  const servers = new Set(
    entries.filter((entry) => holderOf(entry, folder) === "postmaster").map((entry) => entry.pid),
  );
  return entries.filter((entry) => {
    const isChild = entry.uid === folder.uid && entry.command.startsWith(`postgres: ${folder.clusterName}: `);
    return isChild && !servers.has(entry.parentPid);
  });
}

/** How a postmaster of this data folder is started, so that it is known again by its command alone. */
export function dataArguments(data: string): string[] {
  return ["-D", data, "-c"];
}

function servesByCommand(entry: ProcessEntry, folder: DataFolder): boolean {
  return entry.command.includes(` ${dataArguments(folder.data).join(" ")} `);
}

/** Its children call themselves `postgres: ...`; a postmaster keeps the command it was started with. */
function isPostmaster(entry: ProcessEntry): boolean {
  return /^(?:\S*\/)?postgres(?: |$)/.test(entry.command) || entry.command.includes("/bin/postgres -D ");
}
