import { constants } from "node:fs";
import {
  access,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { InstalledBinaries } from "./installed-binaries.ts";
import { compareVersions } from "./version-order.ts";

const prefix = "runtime-";
const listOfLinks = "pg-symlinks.json";

/** A copy of the binaries that can be run: complete, with its libraries' links, readable by every account. */
export interface Runtime {
  readonly version: string;
  readonly folder: string;
}

/** The program of this name in a copy. */
export function programOf(runtime: Runtime, name: "initdb" | "postgres"): string {
  return join(runtime.folder, "bin", name);
}

/**
 * Sees to a copy of the installed binaries, or takes a newer one that is there already: a data folder never goes back
 * to an older minor version. Two processes may do this at once; a copy appears complete or not at all.
 */
export async function ensureRuntime(folder: string, installed: InstalledBinaries): Promise<Runtime> {
  const copies = (await copiesIn(folder)).filter((copy) => copy.version.startsWith(`${installed.major}.`));
  const newest = copies.sort((left, right) => compareVersions(right.version, left.version))[0];
  if (newest && compareVersions(newest.version, installed.version) >= 0 && (await isWhole(newest))) {
    await restoreLinks(newest.folder);
    return newest;
  }
  const runtime = { version: installed.version, folder: join(folder, `${prefix}${installed.version}`) };
  if (!(await isWhole(runtime))) await rm(runtime.folder, { recursive: true, force: true });
  await makeCopy(join(installed.folder, "native"), runtime.folder);
  return runtime;
}

/** Removes the copies that this one replaces. Only for when the server is known to run from this one. */
export async function removeOtherRuntimes(folder: string, runtime: Runtime): Promise<void> {
  const others = (await copiesIn(folder)).filter((copy) => copy.folder !== runtime.folder);
  await Promise.all(others.map((copy) => rm(copy.folder, { recursive: true, force: true })));
}

/** Somebody may have cleaned up by hand. */
async function isWhole(runtime: Runtime): Promise<boolean> {
  const needed = [programOf(runtime, "initdb"), programOf(runtime, "postgres"), join(runtime.folder, listOfLinks)];
  return (await Promise.all(needed.map(exists))).every(Boolean);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function copiesIn(folder: string): Promise<Runtime[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  return names.map((name) => ({ version: name.slice(prefix.length), folder: join(folder, name) }));
}

async function makeCopy(source: string, target: string): Promise<void> {
  const draft = await mkdtemp(join(dirname(target), "draft-runtime-"));
  try {
    await copyFolder(source, draft);
    await restoreLinks(draft);
    await rename(draft, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process has made it meanwhile.
    if (!isTaken(error)) throw error;
  }
}

async function copyFolder(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await chmod(target, 0o755);
  const entries = await readdir(source, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [from, to] = [join(source, entry.name), join(target, entry.name)];
      if (entry.isDirectory()) {
        if (!isForCompilers(entry.name)) await copyFolder(from, to);
      } else if (entry.isSymbolicLink()) {
        await symlink(await readlink(from), to);
      } else if (!isForCompilers(entry.name)) {
        await copyProgram(from, to);
      }
    }),
  );
}

/** What only building extensions needs: a tenth of the size. */
function isForCompilers(name: string): boolean {
  return name.endsWith(".a") || name === "pkgconfig" || name === "pgxs";
}

async function copyProgram(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const file = await open(to);
  try {
    const { mode } = await file.stat();
    // A strict umask at installation or now must not lock the server's account out.
    await file.chmod(mode & 0o100 ? 0o755 : 0o644);
    // A copy that exists counts as complete, so it has to be that after a power cut too.
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Makes the links that the package lists, because a package cannot hold links and its install
 * script does not run. Those that are there are left alone.
 */
async function restoreLinks(folder: string): Promise<void> {
  const listed = JSON.parse(await readFile(join(folder, listOfLinks), "utf8")) as {
    source: string;
    target: string;
  }[];
  await Promise.all(
    listed.map(async ({ source, target }) => {
      const link = join(folder, relative("native", target));
      if (!(await exists(link))) await symlink(relative(dirname(target), source), link).catch(ignoreTaken);
    }),
  );
}

function ignoreTaken(error: unknown): void {
  if (!isTaken(error)) throw error;
}

function isTaken(error: unknown): boolean {
  return ["EEXIST", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Makes renames inside of a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
