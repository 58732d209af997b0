import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inImportFolder } from "./import-folder.ts";

test("a folder is gone after the work, also after work that fails, and with it what a killed server left", async () => {
  const top = await mkdtemp(join(tmpdir(), "roster-imports-"));
  const long = new Date(Date.now() - 2 * 3_600_000);
  for (const name of ["roster-repository-old", "roster-repository-new", "another"]) {
    await mkdir(join(top, name));
    await writeFile(join(top, name, "file"), "");
    if (name !== "roster-repository-new") await utimes(join(top, name), long, long);
  }
  await symlink("another", join(top, "roster-repository-link"));
  const stayed = ["another", "roster-repository-link", "roster-repository-new"];
  process.env["TMPDIR"] = top;
  try {
    const seen = await inImportFolder(async (folder) => {
      await mkdir(join(folder, "a/b"), { recursive: true });
      return readdir(top);
    });
    expect(seen).toHaveLength(stayed.length + 1);
    await expect(inImportFolder(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect((await readdir(top)).sort()).toEqual(stayed);
    expect(await readdir(join(top, "another"))).toEqual(["file"]);
  } finally {
    delete process.env["TMPDIR"];
    await rm(top, { recursive: true });
  }
});
