import { mkdir, open, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The outputs of a program, each a file of the spool. */
export const streams = ["stdout", "stderr"] as const;
/** Name of an output. */
export type Stream = (typeof streams)[number];
/** A place in each output. */
export type Offsets = Readonly<Record<Stream, number>>;

/** The folder of one run: what goes in, what comes out, and what is known about its process. */
export interface Spool {
  readonly folder: string;
  readonly record: string;
  readonly status: string;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The paths of a spool; nothing is made. A fresh start, after one that could not go on with its session, has a record, a
 * status and an input of its own; its outputs go on where those of the first ended. Pure but for the working folder,
 * which a relative path starts from.
 */
export function spoolAt(path: string, start: "first" | "fresh" = "first"): Spool {
  const folder = resolve(path);
  const own = (name: string): string => join(folder, start === "first" ? name : `fresh-${name}`);
  const outputs = { stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
  return { folder, record: own("run.json"), status: own("status"), stdin: own("stdin"), ...outputs };
}

/**
 * Makes the folder with empty outputs and the input, readable by this user alone. Throws when the folder is there: it
 * holds another start, whose output must not be written over.
 */
export async function makeSpool(spool: Spool, stdin: string | null): Promise<void> {
  await mkdir(spool.folder, { mode: 0o700 });
  for (const stream of streams) await writeFile(spool[stream], "", { flag: "wx", mode: 0o600 });
  if (stdin !== null) await writeFile(spool.stdin, stdin, { flag: "wx", mode: 0o600 });
}

/** Makes the input of a fresh start, anew where an earlier runner got as far as that. */
export async function makeFreshInput(spool: Spool, stdin: string | null): Promise<void> {
  if (stdin !== null) await writeFile(spool.stdin, stdin, { mode: 0o600 });
}

/**
 * Hands the descriptors of a spool to `use`, in the order of a process's first three, and closes them afterwards.
 * Outputs are opened for appending: a script that says `>>/dev/stderr` opens the file once more, and the two would
 * write over each other. One that says `>/dev/stderr` empties its own output; that cannot be kept from it, and whoever
 * follows has to expect it.
 */
export async function withDescriptors<T>(
  spool: Spool,
  hasStdin: boolean,
  use: (stdio: Stdio) => Promise<T>,
): Promise<T> {
  const stdin = hasStdin ? await open(spool.stdin, "r") : null;
  // Who has it open goes on reading; on the disk it would keep a credential for as long as the run is.
  if (stdin !== null) await unlink(spool.stdin);
  const stdout = await open(spool.stdout, "a");
  const stderr = await open(spool.stderr, "a");
  try {
    return await use([stdin?.fd ?? "ignore", stdout.fd, stderr.fd]);
  } finally {
    await Promise.all([stdin?.close(), stdout.close(), stderr.close()]);
  }
}

/** The first three descriptors of a process. */
export type Stdio = readonly [number | "ignore", number, number];

/** What the wrapper noted; null while there is nothing, as in a file that was made and not yet written. */
export async function readStatus(spool: Spool): Promise<string | null> {
  const noted = await readFile(spool.status, "utf8").catch(() => "");
  return noted === "" ? null : noted;
}

/** Erases a spool with everything in it. */
export async function eraseSpool(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
