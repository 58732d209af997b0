import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, lchown, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { DatabaseStartError } from "./database-start-error.ts";
import { launchOptions } from "./launch-options.ts";
import type { Place } from "./place.ts";
import { programOf, type Runtime, syncFolder } from "./runtime.ts";
import { remedyFor } from "./start-remedy.ts";

/** The superuser's name; there is no other user. */
export const superuser = "roster";

const draftPrefix = "draft-cluster-";
/** Longer than any initdb takes, so that one which another process is at is not taken for a leftover. */
const leftoverAfterMin = 10;

/**
 * Makes an empty cluster with a random password. It appears at its place complete or not at all; when two processes
 * do this at once, the one that renames first wins and the other drops its own.
 */
export async function makeCluster(place: Place, runtime: Runtime, account: Account): Promise<void> {
  const draft = await mkdtemp(join(place.folder, draftPrefix));
  try {
    const passwordFile = join(draft, "password");
    await writePassword(passwordFile, account);
    await handOver(draft, account);
    await runInitdb(programOf(runtime, "initdb"), { data: join(draft, "data"), passwordFile, account });
    await syncFolder(draft);
    await rename(draft, place.cluster);
    // Without this a power cut could undo the rename after rows were acknowledged.
    await syncFolder(place.folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!["EEXIST", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Removes what interrupted starts left behind. A folder that a server has ever run in is never touched. */
export async function removeLeftoverDrafts(place: Place, now: Date): Promise<void> {
  const drafts = (await readdir(place.folder)).filter((name) => name.startsWith("draft-"));
  for (const draft of drafts.map((name) => join(place.folder, name))) {
    const madeAt = await stat(draft).then(
      ({ mtimeMs }) => mtimeMs,
      () => now.getTime(),
    );
    const isLeftover = now.getTime() - madeAt > leftoverAfterMin * 60_000;
    const hasServed = await access(join(draft, "data", "postmaster.opts")).then(
      () => true,
      () => false,
    );
    if (isLeftover && !hasServed) await rm(draft, { recursive: true, force: true });
  }
}

async function writePassword(path: string, account: Account): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(randomBytes(24).toString("base64url"));
    await file.sync();
  } finally {
    await file.close();
  }
  await handOver(path, account);
}

async function handOver(path: string, account: Account): Promise<void> {
  if (account.uid !== process.getuid?.()) await lchown(path, account.uid, account.gid);
}

interface Initdb {
  readonly data: string;
  readonly passwordFile: string;
  readonly account: Account;
}

async function runInitdb(program: string, { data, passwordFile, account }: Initdb): Promise<void> {
  const choices = [
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--auth=scram-sha-256",
  ];
  const places = [`--username=${superuser}`, `--pwfile=${passwordFile}`, `--pgdata=${data}`];
  const child = spawn(program, [...choices, ...places], {
    ...launchOptions(account, join(data, "..")),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      words += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code === 0) return;
  const complaint = complaintOf(words);
  throw new DatabaseStartError(`PostgreSQL could not make its data folder: ${complaint}`, remedyFor(complaint));
}

/** What initdb says last, without its list of steps. */
function complaintOf(words: string): string {
  const lines = words
    .split("\n")
    .filter((line) => /^(initdb|postgres|sh)?:|error|FATAL|PANIC|HINT|DETAIL|denied/i.test(line));
  const chosen = lines.length > 0 ? lines : words.trim().split("\n").slice(-3);
  return chosen.map((line) => line.trim()).join(" ");
}
