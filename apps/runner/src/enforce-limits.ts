import { stat, statfs } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Breach, breachOf, type RunLimits, type RunMeasure } from "./limits.ts";
import { streams } from "./spool.ts";
import type { SupervisedRun } from "./supervise.ts";

const lookEveryMs = 250;

/**
 * Looks at a run every 250 ms and ends it when it passes a limit. Resolves, when the run has ended, with the limit it
 * passed or null. A run that wrote too much and ended between two looks has passed the limit all the same: the verdict
 * does not hang on how fast a program is. Times count from the files, so a restart of the runner changes nothing.
 */
export async function enforceLimits(run: SupervisedRun, limits: RunLimits, graceSec: number): Promise<Breach | null> {
  const over = new AbortController();
  void run.ended.then(() => over.abort());
  while (!over.signal.aborted) {
    const breach = breachOf(await measure(run), limits);
    if (breach !== null) {
      // A program that ignores the polite signal would go on filling the disk for as long as the grace is.
      await run.end(breach, breach === "output_limit" ? 0 : graceSec);
      return breach;
    }
    await pause(lookEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
  }
  const { spoolBytes } = await measure(run);
  return spoolBytes > limits.mostSpoolBytes ? "output_limit" : null;
}

async function measure(run: SupervisedRun): Promise<RunMeasure> {
  const [files, disk] = await Promise.all([
    Promise.all(streams.map((stream) => stat(run.spool[stream]))),
    statfs(run.spool.folder),
  ]);
  return {
    nowMs: Date.now(),
    startedMs: run.startedMs,
    lastOutputMs: Math.max(run.startedMs, ...files.filter(({ size }) => size > 0).map(({ mtimeMs }) => mtimeMs)),
    spoolBytes: files.reduce((sum, { size }) => sum + size, 0),
    freeBytes: disk.bavail * disk.bsize,
  };
}
