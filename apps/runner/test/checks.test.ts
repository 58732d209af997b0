import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckOrder } from "@roster/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { runCheck } from "../src/checking/run-check.ts";
import { identify } from "../src/process-identity.ts";
import { eventually } from "./fixture/place.ts";

describe("a check", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "roster-check-"));
    await mkdir(join(folder, "home", ".claude"), { recursive: true });
    await writeFile(join(folder, "home", ".claude", ".credentials.json"), "{}");
    return () => rm(folder, { recursive: true });
  });

  async function program(script: string): Promise<string> {
    const path = join(folder, "claude");
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o700);
    return path;
  }

  function order(settings: object, parts: Partial<CheckOrder> = {}): CheckOrder {
    const ids = { companyId: randomUUID(), agentId: randomUUID(), revisionId: randomUUID() };
    const adapterConfig = { env: { HOME: join(folder, "home") }, ...settings };
    return { ...ids, adapterType: "claude_local", adapterConfig, mayAsk: true, ...parts };
  }

  const check = async (settings: object, parts: Partial<CheckOrder> = {}) =>
    (await runCheck(order(settings, parts), folder)).map(({ severity, message }) => `${severity}: ${message}`);

  it("finds nothing where everything is there", async () => {
    const command = await program('test "$1" = --version && echo "2.1.0 (Claude Code)"');
    expect(await check({ command, cwd: folder })).toEqual([]);
  });

  it("finds what is missing and what is odd, each in a sentence", async () => {
    const command = await program("exit 1");
    expect(await check({ command: "no-such-program", cwd: "/no/such/folder", modle: "x", env: {} })).toEqual([
      "warning: The setting modle is not known to this adapter and has no effect.",
      "error: The working folder /no/such/folder is not a folder.",
      'error: Claude Code is not there: the program "no-such-program" is not found or cannot be executed.',
      expect.stringMatching(/^warning: No login of Claude Code was found/),
    ]);
    expect(await check({ command })).toEqual([
      expect.stringMatching(/^warning: The program .* does not say its version/),
    ]);
    const env = { ANTHROPIC_API_KEY: "" };
    expect(await check({ command: "no-such-program", env })).toHaveLength(1);
    expect(await check({}, { adapterType: "nothing_local" })).toEqual([
      expect.stringMatching(/^warning: This runner has no adapter of the type nothing_local/),
    ]);
  });

  it("starts no program of a hire that nobody has approved", async () => {
    const command = await program(`echo started > ${join(folder, "started")}; echo 1.0`);
    expect(await check({ command }, { mayAsk: false })).toEqual([]);
    await expect(rm(join(folder, "started"))).rejects.toThrow("ENOENT");
    await check({ command });
    await rm(join(folder, "started"));
  });

  it("does not wait for a program that hangs, and leaves nothing of it", async () => {
    const command = await program(`sleep 600 & echo $! > ${join(folder, "pid")}; wait`);
    const begun = performance.now();
    expect(await check({ command })).toEqual([expect.stringContaining("does not say its version")]);
    expect(performance.now() - begun).toBeLessThan(5000);
    const pid = Number(await readFile(join(folder, "pid"), "utf8"));
    await eventually("its end", async () => (identify(pid) === null ? true : null));
  });

  it("hands the agent's own environment to no program", async () => {
    const command = await program('test -z "$SECRET" && echo 1.0');
    expect(await check({ command, env: { SECRET: "x", ANTHROPIC_API_KEY: "" } })).toEqual([]);
  });
});
