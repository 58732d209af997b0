import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const sources = ["apps", "packages", "scripts", "package.json", "package-lock.json"];

/**
 * Makes, in `folder`, this tree as it is once installed and built: the sources copied, the packages linked. So a start
 * can be timed whatever is going on in the tree itself, and nothing there is touched.
 */
export async function builtCopy(root: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "node_modules"), { recursive: true });
  for (const name of sources) {
    await cp(join(root, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of await readdir(join(root, "node_modules"))) {
    const [from, to] = [join(root, "node_modules", name), join(folder, "node_modules", name)];
    // Links of the workspaces lead into the tree they are in, so they are copied as they are.
    if (name === "@roster") await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith(".")) await symlink(from, to);
  }
  // By this note `npm start` knows that these packages are the wanted ones.
  const lock = await readFile(join(folder, "package-lock.json"));
  const wanted = `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}\n`;
  await writeFile(join(folder, "node_modules", ".roster-installed"), wanted);
  await promisify(execFile)(process.execPath, ["scripts/build.mjs"], { cwd: folder });
}
