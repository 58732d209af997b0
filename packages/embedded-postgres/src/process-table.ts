import { execFile } from "node:child_process";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { promisify } from "node:util";

/** One living process, as far as this process may see it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly uid: number;
  /** Tells two processes apart that had the same pid one after the other. */
  readonly startedAt: string;
  /** Program and arguments, or the title that the process gave itself; empty for one of the kernel's own. */
  readonly command: string;
  /** Its working folder; null where it cannot be seen, which in containers is the rule for other accounts' processes. */
  readonly cwd: string | null;
}

/** The process with this pid; null when it is gone. A zombie is gone: it has ended and waits to be counted. */
export async function findProcess(pid: number): Promise<ProcessEntry | null> {
  if (process.platform === "linux") return readProc(pid);
  return (await listWithPs(["-p", String(pid)]))[0] ?? null;
}

/** All living processes. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform !== "linux") return listWithPs(["-ax"]);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const entries = await Promise.all(pids.map(readProc));
  return entries.filter((entry) => entry !== null);
}

async function readProc(pid: number): Promise<ProcessEntry | null> {
  const folder = `/proc/${pid}`;
  try {
    const [status, command, { uid }] = await Promise.all([
      readFile(`${folder}/stat`, "utf8"),
      readFile(`${folder}/cmdline`, "utf8"),
      stat(folder),
    ]);
    const cwd = await readlink(`${folder}/cwd`).catch(() => null);
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const arguments_ = command.replace(/\0+$/, "").replaceAll("\0", " ");
    return { pid, parentPid: Number(fields[1]), uid, startedAt: fields[19] ?? "", command: arguments_, cwd };
  } catch {
    // It ended while we looked.
    return null;
  }
}

async function listWithPs(which: string[]): Promise<ProcessEntry[]> {
  const columns = ["pid=", "ppid=", "uid=", "stat=", "lstart=", "command="].flatMap((column) => ["-o", column]);
  const { stdout } = await promisify(execFile)("/bin/ps", ["-ww", ...which, ...columns], {
    env: { LC_ALL: "C" },
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap(parsePsLine);
}

/** A line of ps with the columns above; `lstart` is five words, as in `Thu Jan  1 00:00:00 1970`. */
export function parsePsLine(line: string): ProcessEntry[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line);
  if (!match || match[4]?.startsWith("Z")) return [];
  const [, pid, parentPid, uid, , startedAt = "", command = ""] = match;
  return [{ pid: Number(pid), parentPid: Number(parentPid), uid: Number(uid), startedAt, command, cwd: null }];
}
