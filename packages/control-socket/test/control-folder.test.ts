import { createHash } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, realpath, rm, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ControlFolderError, controlFolder } from "../src/index.ts";

const uid = process.getuid?.() ?? -1;
const asRoot = uid === 0;
if (!asRoot) process.stderr.write("SKIPPED: folders of other users are tested as root only.\n");

let home: string;
let folder: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "roster-home-"));
  const digest = createHash("sha256")
    .update(await realpath(home))
    .digest("hex");
  folder = `/tmp/roster-${uid}-${digest.slice(0, 12)}`;
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(home, { recursive: true });
});

describe("the control folder of a home", () => {
  it("lies at a short path that only this user can write to", async () => {
    expect(await controlFolder(home)).toBe(folder);
    expect((await stat(folder)).mode & 0o777).toBe(asRoot ? 0o711 : 0o700);
    expect(await controlFolder(home)).toBe(folder);
  });

  it("is one and the same by every path to the home", async () => {
    const link = `${home}-link`;
    await symlink(home, link);
    expect(await controlFolder(link)).toBe(await controlFolder(home));
    await rm(link);
  });

  it("gets its mode back when it was opened to others", async () => {
    await controlFolder(home);
    await chmod(folder, 0o777);
    await controlFolder(home);
    expect((await stat(folder)).mode & 0o077).toBe(asRoot ? 0o011 : 0);
  });

  it("is refused when something else is in its place, with the remedy", async () => {
    await writeFile(folder, "");
    await expect(controlFolder(home)).rejects.toBeInstanceOf(ControlFolderError);
    await expect(controlFolder(home)).rejects.toThrow(`${folder} must be a folder and is something else`);
  });

  it("is refused when it is a link, even to a folder of this user", async () => {
    const elsewhere = join(home, "elsewhere");
    await mkdir(elsewhere);
    await symlink(elsewhere, folder);
    await expect(controlFolder(home)).rejects.toBeInstanceOf(ControlFolderError);
  });

  it.runIf(asRoot)("is refused when another user made it", async () => {
    await mkdir(folder);
    await chown(folder, 65_534, 65_534);
    await expect(controlFolder(home)).rejects.toThrow("belongs to the user with uid 65534 and must belong to uid 0");
    await rmdir(folder);
  });
});
