import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 20;
const afterKillMs = 2_000;

/** Sends the signal; a process that is gone already has what was wanted. */
export function signal(pid: number, name: NodeJS.Signals): void {
  if (pid <= 0) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * Asks a process to end, kills it after `graceMs` and resolves when it is gone. `gone` has to be open when this is
 * called: it is what shows that the number still means this process.
 */
export async function endProcess(pid: number, gone: Promise<unknown>, graceMs: number): Promise<void> {
  signal(pid, "SIGTERM");
  if (await settles(gone, graceMs)) return;
  signal(pid, "SIGKILL");
  await settles(gone, afterKillMs);
}

/** Resolves when the process is dead, and after `patienceMs` in any case. */
export async function death(pid: number, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until && (await lives(pid))) await pause(lookEveryMs);
}

async function settles(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(Math.max(withinMs, 0), false, { signal: timer.signal }).catch(() => false);
  const settled = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return settled;
}

async function lives(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // In a container whose first process does not bury the dead, they can still be signalled.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/^\d+ \(.*\) Z/s.test(stat);
}
