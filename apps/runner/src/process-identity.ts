import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What tells a process from every other that had or will have its pid. */
export interface ProcessIdentity {
  readonly bootId: string;
  readonly pid: number;
  /** In the system's own words, only to be compared: ticks since boot on Linux, a date elsewhere. */
  readonly startTime: string;
}

/** The parts of a line of `/proc/<pid>/stat` that matter here. */
export interface ProcessStat {
  readonly state: string;
  readonly session: number;
  readonly startTime: string;
}

/**
 * The process that has this pid now; null when none has. A zombie has ended, and in a container whose first process
 * does not bury the dead it would stay for ever. Synchronous, so that nothing happens between looking and acting.
 */
export function identify(pid: number): ProcessIdentity | null {
  if (!isSignalable(pid)) return null;
  const startTime = process.platform === "linux" ? startOnLinux(pid) : startElsewhere(pid);
  return startTime === null ? null : { bootId: bootId(), pid, startTime };
}

/** Whether this very process still runs: boot, pid and start time are the same. */
export function isRunning(identity: ProcessIdentity): boolean {
  const now = identify(identity.pid);
  return now !== null && now.startTime === identity.startTime && now.bootId === identity.bootId;
}

/** Sends a signal to the whole process group that this process leads, if it still is this process. */
export function signalGroup(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (isRunning(identity)) signalGroupNumber(identity.pid, signal);
}

/**
 * Kills what is left of a group whose leader has ended within this look. While a member lives, the system gives the
 * number to no new process; so if a process has it, the group is empty and the number is somebody else's.
 */
export function killOrphanedGroup(pid: number): void {
  if (identify(pid) === null) signalGroupNumber(pid, "SIGKILL");
}

function signalGroupNumber(pid: number, signal: NodeJS.Signals): void {
  // -1 would be everybody.
  if (!isSignalable(pid)) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Nobody is left; macOS says EPERM when those who are left are zombies.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function isSignalable(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1;
}

/** The second field is the program's name in parentheses and may itself hold spaces and parentheses. Pure. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", session: Number(fields[3]), startTime: fields[19] ?? "" };
}

function startOnLinux(pid: number): string | null {
  try {
    const { state, startTime } = parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return state === "Z" || state === "X" || startTime === "" ? null : startTime;
  } catch {
    return null;
  }
}

function startElsewhere(pid: number): string | null {
  const [state = "", ...start] = saidBy("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)]).split(/\s+/);
  return state === "" || state.startsWith("Z") ? null : start.join(" ");
}

/** What tells this boot of the machine from every other. */
export function bootId(): string {
  if (process.platform === "linux") return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return saidBy("sysctl", ["-n", "kern.bootsessionuuid"]);
}

function saidBy(program: string, args: readonly string[]): string {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };
  try {
    return execFileSync(program, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}
