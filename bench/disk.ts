import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
}

/** Bytes on disk of the installed packages: of those that are needed to run, and of all. */
export async function packageBytes(root: string): Promise<{ production: number; all: number }> {
  const lock = JSON.parse(await readFile(join(root, "node_modules", ".package-lock.json"), "utf8")) as LockFile;
  let [production, all] = [0, 0];
  for (const [path, { dev, link }] of Object.entries(lock.packages)) {
    if (link) continue;
    const bytes = await bytesIn(join(root, path));
    all += bytes;
    if (!dev) production += bytes;
  }
  return { production, all };
}

/** Bytes on disk of a folder, without the packages inside of it; 0 when it is not there. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? 0 : await bytesIn(path);
    return (await lstat(path)).blocks * 512;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
