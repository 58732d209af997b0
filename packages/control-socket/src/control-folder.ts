import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** The folder where the control sockets of a home would be, or are, cannot be trusted; the message says why. */
export class ControlFolderError extends Error {
  override readonly name = "ControlFolderError";
}

/**
 * The folder with the control sockets of the processes of one home, made or checked:
 * `/tmp/roster-<uid>-<first 12 hex of SHA-256 of the home's real path>`. Socket paths may not be longer than about
 * 100 bytes, and a home's path can be; hence this place and not the home itself.
 *
 * The folder is ours alone (0700). As root others may pass through it (0711): the account of the database has a
 * folder of its own inside. The home must exist. Throws `ControlFolderError` when something else is in its place.
 */
export async function controlFolder(home: string): Promise<string> {
  const uid = ownUid();
  const digest = createHash("sha256")
    .update(await realpath(home))
    .digest("hex");
  const folder = join("/tmp", `roster-${uid}-${digest.slice(0, 12)}`);
  await ownFolder(folder, uid === 0 ? 0o711 : 0o700);
  return folder;
}

/** Makes the folder, or checks that it is a real folder of this user, and gives it the mode. */
async function ownFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = await ownedFolder(folder);
  // Also after mkdir, which takes the umask away from the mode.
  if ((found.mode & 0o777) !== mode) await chmod(folder, mode);
}

/** Refuses what another user could have put there or could write into. */
export async function checkFolder(folder: string): Promise<void> {
  const found = await ownedFolder(folder);
  if ((found.mode & 0o022) !== 0) {
    throw new ControlFolderError(`${folder} can be written to by other users; remove it or run: chmod 700 ${folder}`);
  }
}

async function ownedFolder(folder: string): Promise<{ mode: number }> {
  const found = await lstat(folder);
  if (!found.isDirectory()) {
    throw new ControlFolderError(`${folder} must be a folder and is something else; remove it and start again.`);
  }
  if (found.uid !== ownUid()) {
    throw new ControlFolderError(
      `${folder} belongs to the user with uid ${found.uid} and must belong to uid ${ownUid()}; remove it and start again.`,
    );
  }
  return found;
}

function ownUid(): number {
  if (process.getuid === undefined) {
    throw new ControlFolderError("This system has no user ids; on Windows, run Roster inside WSL.");
  }
  return process.getuid();
}
