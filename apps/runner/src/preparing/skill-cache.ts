import { randomUUID } from "node:crypto";
import { cp, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SkillFiles } from "../calling/server.ts";
import { inside } from "./inside.ts";

const shebang = Buffer.from("#!");

/** What no run has had for so long is thrown away. */
const keptForMs = 30 * 24 * 60 * 60 * 1000;

/** Skills of a home by their content: fetched once, however many runs have them; when each was last used is its age. */
export class SkillCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Puts a copy of the skill into a folder that is not there yet: what a run does to its own does not reach the next.
   * `fetch` is asked when the skill is not there. A skill is in the cache as a whole or not at all.
   */
  async place(contentHash: string, into: string, fetch: () => Promise<SkillFiles>): Promise<void> {
    const cached = inside(this.#folder, contentHash);
    const found = await stat(cached).catch(() => null);
    if (found === null) await this.#store(cached, await fetch());
    await cp(cached, into, { recursive: true });
    const now = new Date();
    await utimes(cached, now, now);
  }

  /** Throws away what no run has had for 30 days, and what was never whole. For before the first run. */
  async prune(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const { mtimeMs } = await stat(path);
      if (name.startsWith(".") || now - mtimeMs > keptForMs) await rm(path, { recursive: true, force: true });
    }
  }

  async #store(cached: string, files: SkillFiles): Promise<void> {
    const fresh = inside(this.#folder, `.${randomUUID()}`);
    try {
      await mkdir(fresh, { mode: 0o700 });
      for (const { path, base64 } of files) await writeSkillFile(inside(fresh, path), Buffer.from(base64, "base64"));
      await rename(fresh, cached);
    } catch (error) {
      // Another run has fetched it meanwhile.
      if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
}

/** A skill has no modes; a script is what says by which program it is run. */
async function writeSkillFile(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { mode: content.subarray(0, 2).equals(shebang) ? 0o700 : 0o600 });
}
