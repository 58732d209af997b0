import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findPrograms, type KnownVersions } from "../src/checking/find-programs.ts";

describe("the programs on a machine", () => {
  const { PATH, HOME } = process.env;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "roster-programs-"));
    await mkdir(join(folder, ".claude"));
    process.env["PATH"] = folder;
    process.env["HOME"] = folder;
  });
  afterEach(async () => {
    Object.assign(process.env, { PATH, HOME });
    await rm(folder, { recursive: true });
  });

  async function program(name: string, script: string, writtenAt: number): Promise<void> {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o700);
    await utimes(path, writtenAt, writtenAt);
  }

  const found = async (versions: KnownVersions = new Map()) => {
    const programs = await findPrograms(folder, versions);
    return programs.filter(({ adapterType }) => adapterType === "claude_local" || adapterType === "codex_local");
  };

  it("are none where none is installed", async () => {
    expect(await found()).toEqual([]);
  });

  it("a program that is there is told with its version and what it still lacks", async () => {
    await program("claude", 'echo "2.1.0 (Claude Code)"', 1);
    await program("codex", "exit 1", 1);
    await writeFile(join(folder, ".claude", ".credentials.json"), "{}");
    expect(await found()).toEqual([
      { adapterType: "claude_local", version: "2.1.0", findings: [] },
      {
        adapterType: "codex_local",
        version: null,
        findings: [{ severity: "warning", message: expect.stringMatching(/^No login of Codex/) }],
      },
    ]);
  });

  it("a program is asked its version once, and again when it is another file", async () => {
    const asked = join(folder, "asked");
    const versions: KnownVersions = new Map();
    await program("claude", `test ! -e ${asked} && : > ${asked} && echo 1.0`, 1);
    expect(await found(versions)).toMatchObject([{ version: "1.0" }]);
    expect(await found(versions)).toMatchObject([{ version: "1.0" }]);
    await program("claude", "echo 2.0", 2);
    expect(await found(versions)).toMatchObject([{ version: "2.0" }]);
  });
});
