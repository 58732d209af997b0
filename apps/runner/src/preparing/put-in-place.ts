import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Placed } from "@roster/adapter";
import { inside } from "./inside.ts";

/**
 * Makes the run's own folder, anew where an earlier attempt has left one, and puts into it what its program needs. A
 * link may lead to what is not there. Throws `UnfitOrderError` for what does not stay below the folder.
 */
export async function putInPlace(places: readonly Placed[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const placed of places) {
    const path = inside(folder, placed.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if ("text" in placed) {
      await writeFile(path, placed.text, { mode: 0o600 });
    } else {
      if (placed.isFolder === true) await mkdir(placed.to, { recursive: true, mode: 0o700 });
      await symlink(placed.to, path);
    }
  }
}
