import { lutimes, mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { claim, giveUp } from "./claim.ts";
import { checkFolder } from "./control-folder.ts";
import type { Identity } from "./identity.ts";
import { checkPathLength } from "./path-length.ts";
import { listenAlone } from "./presence.ts";

/** This process answers at the path until it dies or calls `close`. */
export interface Announcement {
  readonly path: string;
  readonly identity: Identity;
  /** Frees the path for the next process and ends all connections. */
  close(): Promise<void>;
}

/** A living process already answers at the path. */
export class AlreadyAnnouncedError extends Error {
  override readonly name = "AlreadyAnnouncedError";
  readonly path: string;
  /** Who it is. */
  readonly holder: Identity;

  constructor(path: string, holder: Identity) {
    super(`The process ${holder.pid} (${holder.name}) already answers at ${path}.`);
    this.path = path;
    this.holder = holder;
  }
}

const freshenEveryMs = 3_600_000;

/**
 * Answers at a unix socket at `path`: sends everyone who connects one JSON line with the identity and keeps the
 * connection open for as long as this process lives, so that its closing tells its death, also after `kill -9`.
 * Does not keep the process alive.
 *
 * At any moment at most one living process answers at a path, however many call this at once and whichever of them
 * are killed in the middle; a path left by a dead process is taken over, by exactly one. Throws
 * `AlreadyAnnouncedError` when another living process has it, `SilentHolderError` when one has it and says nothing,
 * `ControlFolderError` when others could write into the folder. The folder is made (0700) when missing.
 */
export async function announce(path: string, identity: Identity): Promise<Announcement> {
  checkPathLength(path);
  const folder = dirname(path);
  const name = basename(path);
  await mkdir(folder, { mode: 0o700, recursive: true });
  await checkFolder(folder);
  const presence = await listenAlone(folder, identity);
  const holder = await claim(folder, name, presence.name).catch(async (error: unknown) => {
    await presence.end();
    throw error;
  });
  if (holder !== null) {
    holder.release();
    await presence.end();
    throw new AlreadyAnnouncedError(path, holder.identity);
  }
  const freshen = keepFresh([path, join(folder, presence.name)]);
  const close = async (): Promise<void> => {
    clearInterval(freshen);
    // The name first: a name whose socket refuses counts as left by the dead and may be another's a moment later.
    await giveUp(folder, name);
    await presence.end();
  };
  return { path, identity, close };
}

/** Many systems remove from /tmp what was not touched for days. */
function keepFresh(paths: readonly string[]): NodeJS.Timeout {
  const timer = setInterval(() => {
    const now = new Date();
    for (const path of paths) lutimes(path, now, now).catch(() => undefined);
  }, freshenEveryMs);
  return timer.unref();
}
