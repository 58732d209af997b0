import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { ProcessIdentity } from "./process-identity.ts";
import type { Offsets, Spool } from "./spool.ts";

/** What a restarted runner has to know about a run. */
export interface RunRecord {
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** The boot in which it was written first. */
  readonly bootId?: string;
  /** Null from before the process is made until it is known. */
  readonly process: ProcessIdentity | null;
  /** Of a fresh start: where its outputs begin. */
  readonly from?: Offsets;
}

/**
 * Writes the record, whole or not at all. Synchronous: between the process and its record there is then nothing else
 * that this program does. It is not forced to the disk, since a machine that goes down takes the process with it.
 */
export function writeRecord(spool: Spool, record: RunRecord): void {
  const temporary = `${spool.record}.tmp`;
  writeFileSync(temporary, JSON.stringify(record), { mode: 0o600 });
  renameSync(temporary, spool.record);
}

/** The record of a spool; null when there is none that can be read. */
export function readRecord(spool: Spool): RunRecord | null {
  try {
    return parseRecord(JSON.parse(readFileSync(spool.record, "utf8")));
  } catch {
    return null;
  }
}

function parseRecord(value: Partial<RunRecord> | null): RunRecord | null {
  const { runId, startedMs, bootId, process, from } = value ?? {};
  if (typeof runId !== "string" || runId === "" || typeof startedMs !== "number") return null;
  const boot = typeof bootId === "string" ? { bootId } : {};
  return { runId, startedMs, ...boot, process: isIdentity(process) ? process : null, ...(from && { from }) };
}

function isIdentity(value: Partial<ProcessIdentity> | null | undefined): value is ProcessIdentity {
  const { bootId, pid, startTime } = value ?? {};
  return typeof bootId === "string" && Number.isSafeInteger(pid) && typeof startTime === "string";
}
