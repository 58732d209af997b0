import { chmod, lchown, lstat, mkdir } from "node:fs/promises";
import { DatabaseStartError } from "./database-start-error.ts";

/** Whose a folder that nobody else may touch has to be. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Makes a folder with exactly this owner and mode. One that is there already is taken only if it is a real folder and
 * has this owner: in `/tmp` anybody may have made it first, and would then sit between the server and its clients.
 */
export async function makePrivateFolder(path: string, owner: Owner, mode: number): Promise<void> {
  await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(path);
  const isOurs = found.uid === process.getuid?.();
  if (!found.isDirectory() || !(isOurs || found.uid === owner.uid)) {
    throw new DatabaseStartError(
      `${path} is not a folder of the uid ${owner.uid}, so the database cannot be kept private there.`,
      `Find out who made it (it belongs to the uid ${found.uid}), remove it and start again.`,
    );
  }
  if (found.uid !== owner.uid) await lchown(path, owner.uid, owner.gid);
  // The umask has taken bits away, or an earlier start was cut short before this line.
  if ((found.mode & 0o7777) !== mode) await chmod(path, mode);
}
