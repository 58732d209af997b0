import { setTimeout as pause } from "node:timers/promises";
import type { Birth } from "./births.ts";
import { type Ending, type EndReason, endingWith } from "./ending.ts";
import { type ProcessIdentity, signalGroup } from "./process-identity.ts";
import type { RunRecord } from "./run-record.ts";
import { readStatus, type Spool } from "./spool.ts";
import { endSurvivors } from "./survivors.ts";

/** A run whose process was started or adopted. */
export interface SupervisedRun {
  readonly runId: string;
  readonly spool: Spool;
  readonly startedMs: number;
  /** The wrapper, leader of its process group; null when it was gone before anybody knew it. */
  readonly process: ProcessIdentity | null;
  /** Resolves once, when the program has ended and everything it left running has: its output is complete then. */
  readonly ended: Promise<Ending>;
  /**
   * SIGTERM to the process group and SIGKILL after the grace; resolves with the ending. The first reason stays; a later
   * call with a shorter grace shortens it. Does nothing to a run that has ended.
   */
  end(reason: EndReason, graceSec: number): Promise<Ending>;
}

/**
 * Supervises the process of a record; `gone` resolves when the wrapper has ended, and its process group with it. Its
 * birth is known where it was started here.
 */
export function supervise(
  spool: Spool,
  record: RunRecord,
  gone: Promise<void>,
  birth: Birth | null = null,
): SupervisedRun {
  let reason: EndReason | null = null;
  let isGone = false;
  const conclude = async (): Promise<Ending> => {
    isGone = true;
    const survivors = await endSurvivors(record.runId, birth);
    return endingWith({ status: await readStatus(spool), survivors }, reason);
  };
  const ended = gone.then(conclude);
  const signal = (name: NodeJS.Signals): void => {
    if (record.process !== null && !isGone) signalGroup(record.process, name);
  };
  const end = async (because: EndReason, graceSec: number): Promise<Ending> => {
    if (isGone) return await ended;
    if (reason === null) {
      reason = because;
      signal("SIGTERM");
    }
    if (!(await settles(gone, graceSec * 1000))) signal("SIGKILL");
    return await ended;
  };
  return { runId: record.runId, spool, startedMs: record.startedMs, process: record.process, ended, end };
}

async function settles(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(withinMs, false, { signal: timer.signal }).catch(() => false);
  const settled = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return settled;
}
