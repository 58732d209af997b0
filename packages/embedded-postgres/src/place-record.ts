import { readFile, rename, writeFile } from "node:fs/promises";
import { DatabaseStartError } from "./database-start-error.ts";
import type { Place } from "./place.ts";

/** What `SERVICE_HOME/database.json` says: where the database of this home is and who started it. */
export interface PlaceRecord {
  /** The home's real path when the database was made. */
  readonly home: string;
  /** The uid that starts the database; the places depend on it. */
  readonly startedByUid: number;
  /** Data, binaries and log. */
  readonly folder: string;
  readonly data: string;
  readonly log: string;
  /** The folder in `/tmp` that holds the socket. */
  readonly sockets: string;
  /** The account that runs the server. */
  readonly account: string;
}

/** Reads the record of a home; null when there is none yet or it cannot be understood. */
export async function readRecord(path: string): Promise<PlaceRecord | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    const record = value as Partial<PlaceRecord> | null;
    const isRecord = typeof record?.home === "string" && typeof record.folder === "string";
    return isRecord && typeof record.startedByUid === "number" ? (record as PlaceRecord) : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Writes the record unless it says the same already. */
export async function writeRecord(place: Place, account: string, uid: number): Promise<void> {
  const record: PlaceRecord = {
    home: place.home,
    startedByUid: uid,
    folder: place.folder,
    data: place.data,
    log: place.log,
    sockets: place.socketsParent,
    account,
  };
  const text = `${JSON.stringify(record, null, 2)}\n`;
  const written = await readFile(place.record, "utf8").catch(() => "");
  if (written === text) return;
  const draft = `${place.record}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o644 });
  await rename(draft, place.record);
}

/**
 * Refuses a home whose database is recorded to be elsewhere. An empty database would start without a word, and its
 * owner would think that everything is lost.
 */
export function refuseStrangeRecord(record: PlaceRecord, place: Place, uid: number): void {
  if (record.startedByUid !== uid) {
    throw new DatabaseStartError(
      `The database of ${place.home} was made by the uid ${record.startedByUid}, and this process has the uid ${uid}.`,
      `Start as the user who made it, or set SERVICE_HOME to another folder.`,
    );
  }
  const movesWithHome = record.folder.startsWith(`${record.home}/`);
  if (record.folder !== place.folder && !movesWithHome) {
    throw new DatabaseStartError(
      `The database of ${place.home} is in ${record.folder}, which belongs to the home ${record.home}.`,
      `Move the home back to ${record.home}. Or, with that one stopped, move the database too ` +
        `(mv ${record.folder} ${place.folder}) and remove ${place.record}; ` +
        "without moving it, removing that file begins with an empty database.",
    );
  }
}
