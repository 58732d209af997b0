import { readFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { env } from "@roster/contract";
import { type Birth, bornAfter } from "./births.ts";

/** Between two looks that found something: the killed need a moment to be gone. */
const betweenLooksMs = 20;
/** A process in the middle of a broken device's operation cannot be killed; the run is not kept open for it. */
const patienceMs = 10_000;
const emptyLooksNeeded = 2;

/** The variable by which every descendant of a run is recognised. */
export const runIdVariable = env("RUN_ID");

/**
 * Kills every process of this user that carries the run's id in its environment, until none is found twice: a child
 * that has left the process group is found this way, and one that was born while we looked is found the next time.
 * Only processes born after the wrapper of the run, where its birth is known, can be its descendants.
 * Gives up after 10 seconds and answers those that are left, which is none as a rule. Only Linux lets us look; elsewhere
 * the process group is all there is.
 */
export async function endSurvivors(runId: string, wrapper: Birth | null = null): Promise<readonly number[]> {
  if (process.platform !== "linux") return [];
  const until = performance.now() + patienceMs;
  for (let emptyLooks = 0; ; ) {
    const pids = await carriersAmong(bornAfter(wrapper, await allPids()), runId);
    for (const pid of pids) killCarrier(pid, runId);
    emptyLooks = pids.length === 0 ? emptyLooks + 1 : 0;
    if (emptyLooks >= emptyLooksNeeded || performance.now() >= until) return pids;
    if (pids.length > 0) await pause(betweenLooksMs);
  }
}

/** The processes of this user that carry the run's id; none where that cannot be seen. Zombies carry nothing. */
export async function carriersOf(runId: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  return carriersAmong(await allPids(), runId);
}

const allPids = async (): Promise<number[]> =>
  (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);

async function carriersAmong(pids: readonly number[], runId: string): Promise<number[]> {
  const carrying = await Promise.all(pids.map((pid) => isCarrier(pid, runId)));
  return pids.filter((pid, index) => carrying[index] === true && pid !== process.pid);
}

async function isCarrier(pid: number, runId: string): Promise<boolean> {
  try {
    if ((await stat(`/proc/${pid}`)).uid !== process.geteuid?.()) return false;
    return carries(await readFile(`/proc/${pid}/environ`, "latin1"), runId);
  } catch {
    // It ended while we looked, or is not ours to look at.
    return false;
  }
}

/** Looks once more at the last moment: since it was found, the pid may have become somebody else's. */
function killCarrier(pid: number, runId: string): void {
  try {
    if (carries(readFileSync(`/proc/${pid}/environ`, "latin1"), runId)) process.kill(pid, "SIGKILL");
  } catch {
    // Gone, which is what was wanted.
  }
}

function carries(environ: string, runId: string): boolean {
  return `\0${environ}\0`.includes(`\0${runIdVariable}=${runId}\0`);
}
