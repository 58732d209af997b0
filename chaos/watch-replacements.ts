import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "postgres";
import { carriers } from "./carriers.ts";

const lookEveryMs = 500;

/** A look at the machine again and again: which runs have processes at one time. */
export interface ReplacementWatch {
  /** What ran beside the run that took its place. */
  stop(): Promise<string[]>;
}

/** All runners are on this machine: nothing of a run may live once the run that takes its place has a process. */
export function watchReplacements(sql: Sql): ReplacementWatch {
  const over = new AbortController();
  const together = new Set<string>();
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const pair of pairsOf(await runsAtOneTime())) together.add(pair);
      await pause(lookEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await watching;
      const rows = await sql<{ id: string; retryOf: string }[]>`
        select id, retry_of as "retryOf" from runs where retry_of is not null`;
      const beside = rows.filter(({ id, retryOf }) => together.has(pairOf(id, retryOf)));
      return beside.map(({ id, retryOf }) => `run ${id} ran beside ${retryOf}, whose place it took`);
    },
  };
}

/** What was there at a first look and is at a second was there all the time between them. */
async function runsAtOneTime(): Promise<string[]> {
  const first = await carriers();
  if (new Set(first.values()).size < 2) return [];
  const second = await carriers();
  const stayed = [...first].filter(([pid, runId]) => second.get(pid) === runId);
  return [...new Set(stayed.map(([, runId]) => runId))];
}

const pairOf = (one: string, other: string): string => [one, other].sort().join(" ");

const pairsOf = (runIds: readonly string[]): string[] =>
  runIds.flatMap((one, index) => runIds.slice(index + 1).map((other) => pairOf(one, other)));
