import { lstat, mkdir, realpath, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { accountForRoot, accountOfThisProcess } from "./account.ts";
import { findInstalledBinaries, refuseOtherMachines, thisMachine } from "./installed-binaries.ts";
import { type Place, placeOf } from "./place.ts";
import { type PlaceRecord, readRecord, refuseStrangeRecord } from "./place-record.ts";
import { makePrivateFolder, type Owner } from "./private-folder.ts";
import { settingsOf } from "./server-settings.ts";
import type { Site } from "./site.ts";

/** What a caller says about the database it wants. */
export interface DatabaseOptions {
  /** The folder of the service (`SERVICE_HOME`); made if missing. */
  home: string;
  /** Told in one line what takes time or was unexpected. */
  log?: (line: string) => void;
  /**
   * Further PostgreSQL settings, as in `{ max_connections: "200" }`. They hold for a server that is started, not for
   * one that is taken over. Settings on which durability or privacy rest are refused.
   */
  settings?: Record<string, string>;
}

/** A home's site, with what its record says about an earlier start. */
export interface PreparedSite {
  readonly site: Site;
  readonly record: PlaceRecord | null;
  readonly uid: number;
}

/** Settles who runs the server and where, refuses what cannot work, and makes the folders. */
export async function prepareSite(options: DatabaseOptions): Promise<PreparedSite> {
  refuseOtherMachines(thisMachine());
  const installed = findInstalledBinaries();
  const uid = process.getuid?.() ?? 0;
  await makeHome(resolve(options.home));
  const place = placeOf(await realpath(options.home), uid);
  const record = await readRecord(place.record);
  if (record) refuseStrangeRecord(record, place, uid);
  const account = uid === 0 ? accountForRoot(await ownerOf(place.folder)) : accountOfThisProcess();
  const settings = options.settings ?? {};
  settingsOf(place, settings);
  await makeFolders(place, account, uid);
  return { site: { place, account, installed, settings, log: options.log ?? (() => undefined) }, record, uid };
}

/** Node's own recursive mkdir never returns where a file system says ENOENT to a new folder, as /proc does. */
async function makeHome(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeHome(dirname(path));
    await mkdir(path);
  }
}

async function ownerOf(path: string): Promise<number | null> {
  return lstat(path).then(
    ({ uid }) => uid,
    () => null,
  );
}

async function makeFolders(place: Place, account: Owner, uid: number): Promise<void> {
  const starter = { uid, gid: process.getgid?.() ?? 0 };
  if (uid === 0) {
    await mkdir(dirname(dirname(place.folder)), { recursive: true });
    await makePrivateFolder(dirname(place.folder), starter, 0o755);
  }
  await makePrivateFolder(place.folder, account, 0o700);
  await makePrivateFolder(place.socketsParent, starter, uid === 0 ? 0o711 : 0o700);
  if (place.sockets !== place.socketsParent) await makePrivateFolder(place.sockets, account, 0o700);
  await symlink(".", join(place.sockets, ",")).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
