import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { requestedEndings } from "../ending.ts";

const runNote = z.object({
  runId: z.uuid(),
  epoch: z.int(),
  companyId: z.string(),
  agentId: z.string(),
  adapterType: z.string(),
  limits: z.object({ startSec: z.number(), silenceSec: z.number(), wallSec: z.number(), graceSec: z.number() }),
  /** The server knows that it was started. */
  isStartTold: z.boolean(),
  /** Why it is being ended, so that the next runner can say it; null when it is not. */
  ending: z.enum(requestedEndings).nullable(),
});

/** What a restarted runner has to know of a run that it held. Nothing in it is secret. */
export type RunNote = z.infer<typeof runNote>;

const noteIn = (files: string): string => join(files, "note.json");

/** Writes the note into the folder of the run's files, which is made; whole or not at all. */
export function writeNote(files: string, note: RunNote): void {
  mkdirSync(files, { recursive: true, mode: 0o700 });
  const temporary = `${noteIn(files)}.tmp`;
  writeFileSync(temporary, JSON.stringify(note), { mode: 0o600 });
  renameSync(temporary, noteIn(files));
}

/** The note of a run; null when there is none that can be read. */
export function readNote(files: string): RunNote | null {
  try {
    return runNote.parse(JSON.parse(readFileSync(noteIn(files), "utf8")));
  } catch {
    return null;
  }
}

/** Removes the note: the run is not held any more. */
export async function removeNote(files: string): Promise<void> {
  await rm(noteIn(files), { force: true });
}
