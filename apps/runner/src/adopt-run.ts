import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import {
  bootId,
  identify,
  isRunning,
  killOrphanedGroup,
  type ProcessIdentity,
  parseStat,
  signalGroup,
} from "./process-identity.ts";
import { type RunRecord, readRecord, writeRecord } from "./run-record.ts";
import { type Offsets, readStatus, type Spool, spoolAt } from "./spool.ts";
import { type SupervisedRun, supervise } from "./supervise.ts";
import { carriersOf } from "./survivors.ts";

const lookEveryMs = 250;

/**
 * Takes over a run that an earlier runner started: one that still runs, and one that has ended meanwhile, whose ending
 * is told as if it had been seen. Of two starts it is the fresh one. Null when the folder is no spool, or nothing was
 * started yet; it can be erased then, unless a fresh start was begun.
 */
export async function adoptRun(folder: string): Promise<SupervisedRun | null> {
  const spool = spoolAt(folder, freshStartIn(folder) === null ? "first" : "fresh");
  const found = readRecord(spool);
  if (found === null) return null;
  const record = found.process === null ? await completed(spool, found) : found;
  if (record === null) return null;
  return supervise(spool, record, goneByLooking(spool, record.process));
}

/** Where the outputs of a fresh start begin, as soon as one was begun; null where none was. */
export function freshStartIn(folder: string): Offsets | null {
  return readRecord(spoolAt(folder, "fresh"))?.from ?? null;
}

/**
 * The earlier runner was killed between making the process and writing down which one it was, or just before making it:
 * null then. Before the machine was started again there may have been one that nobody sees any more.
 */
async function completed(spool: Spool, record: RunRecord): Promise<RunRecord | null> {
  const carriers = await carriersOf(record.runId);
  const wrapper = carriers.find((pid) => isWrapper(pid, spool));
  if (wrapper === undefined) {
    const wasSeen = process.platform !== "linux" || record.bootId !== bootId() || (await readStatus(spool)) !== null;
    return wasSeen || carriers.length > 0 ? record : null;
  }
  const known = { ...record, process: identify(wrapper) };
  writeRecord(spool, known);
  return known;
}

/** The leader of a session that was given this spool's status file can only be the wrapper. */
function isWrapper(pid: number, spool: Spool): boolean {
  try {
    const { session } = parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return session === pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(spool.status);
  } catch {
    return false;
  }
}

/**
 * Another process's child tells us nothing when it ends, and a killed one leaves no file that could be watched: so we
 * look, as often as at the limits. A run that is started here is not looked at: its exit is an event.
 */
async function goneByLooking(spool: Spool, identity: ProcessIdentity | null): Promise<void> {
  // Never seen alive by us: the pid may be anybody's, and so may the group of that number.
  if (identity === null || !isRunning(identity)) return;
  while (isRunning(identity) && (await readStatus(spool)) === null) await pause(lookEveryMs);
  signalGroup(identity, "SIGKILL");
  killOrphanedGroup(identity.pid);
}
