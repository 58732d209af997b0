import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "roster-repository-";
/** Longer than any import takes. */
const abandonedAfterMs = 3_600_000;

/** Works in a folder that is removed whatever happens. Removes those that a killed server left, too. */
export async function inImportFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const top = tmpdir();
  await removeAbandoned(top);
  const folder = await mkdtemp(join(top, prefix));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Folders of this account only: everybody writes to the place where they are. A link there is not followed. */
async function removeAbandoned(top: string): Promise<void> {
  for (const name of await readdir(top)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(top, name);
    const found = await lstat(folder).catch(() => null);
    const isAbandoned = found?.uid === process.getuid?.() && Date.now() - (found?.mtimeMs ?? 0) > abandonedAfterMs;
    if (isAbandoned) await rm(folder, { recursive: true, force: true });
  }
}
