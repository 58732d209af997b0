import { readlink, rm, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Found, inquire } from "./inquire.ts";

const busyMs = 5;

/**
 * Makes `name` in the folder a link to our own socket, unless a living process has the name: that one is returned.
 *
 * Making a link is exclusive, so a free name is won by exactly one. What needs care is removing the link of a dead
 * process: of two that found it dead, the slower must not remove the link that the faster has made meanwhile. So only
 * the heir of the dead process may remove it, and being its heir is itself a name won by this function. A process
 * killed between its steps is just one more dead process with an heir of its own. Names of sockets are never used
 * twice, so a link that still names the dead process is still that very link.
 */
export async function claim(folder: string, name: string, own: string): Promise<Found | null> {
  for (;;) {
    if (await linked(folder, name, own)) return null;
    const holder = await holderOf(folder, name);
    if (holder === null) continue;
    const found = await inquire(join(folder, holder));
    if (found !== null) return found;
    await bury(folder, name, holder, own);
  }
}

/** Gives up a name that `claim` has won. Nobody else touches it while our socket answers. */
export async function giveUp(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}

async function bury(folder: string, name: string, dead: string, own: string): Promise<void> {
  const heir = `${dead}.heir`;
  const other = await claim(folder, heir, own);
  if (other !== null) {
    other.release();
    await pause(busyMs);
    return;
  }
  try {
    if ((await holderOf(folder, name)) !== dead) return;
    await unlink(join(folder, name));
    await rm(join(folder, dead), { force: true });
  } finally {
    await giveUp(folder, heir);
  }
}

async function linked(folder: string, name: string, own: string): Promise<boolean> {
  try {
    await symlink(own, join(folder, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function holderOf(folder: string, name: string): Promise<string | null> {
  try {
    return await readlink(join(folder, name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return null;
    if (code === "EINVAL") throw new Error(`${join(folder, name)} was not made by Roster; remove it and start again.`);
    throw error;
  }
}
