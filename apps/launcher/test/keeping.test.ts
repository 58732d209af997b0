import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Child } from "./fixture/child.ts";
import { foldersOf } from "./fixture/control-path.ts";
import { eventually, type House, house, type Programs, standInPrograms } from "./fixture/house.ts";

let programs: Programs;
let here: House;

beforeAll(async () => {
  programs = await standInPrograms();
  return programs.remove;
});

beforeEach(async () => {
  here = await house();
});

afterEach(async () => {
  await here.clear();
});

/** A launcher whose server needs no database, so that a test takes as long as what it is about. */
function launch(env: Record<string, string> = {}): Child {
  const ownDatabase = { DATABASE_URL: "postgres://somebody:very-secret@db.example/roster", BUILD_HASH: "first" };
  return here.run({ args: [programs.launcher], env: { ...ownDatabase, ...env } });
}

async function launched(env: Record<string, string> = {}): Promise<Child> {
  const launcher = launch(env);
  await launcher.saying("Local trusted mode");
  return launcher;
}

/** Puts a file where the embedded database of the home would have its folder. */
async function blockDatabase(home: string): Promise<void> {
  await mkdir(home);
  const place = process.getuid?.() === 0 ? foldersOf(home, 0).database : join(home, "database");
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, "");
}

async function answeringPid(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${here.port}/`);
  return ((await response.json()) as { pid: number }).pid;
}

describe("a start", () => {
  it("says name, version, address, home, database and whom this mode trusts, and nothing else", async () => {
    const launcher = await launched();
    const lines = launcher.said().trimEnd().split("\n");
    expect(lines).toEqual([
      "Roster 1.2.3",
      `  address   http://localhost:${here.port}`,
      `  home      ${here.home}`,
      "  database  postgres://db.example/roster",
      expect.stringContaining("every process of this machine is trusted"),
    ]);
  });

  it("gives the server a session of its own and its settings, and none of npm's", async () => {
    await launched({ npm_config_registry: "x", SERVICE_EGRESS_ALLOW: "example.com" });
    const server = await here.whoElse("server", undefined);
    const stat = await readFile(`/proc/${server.pid}/stat`, "utf8");
    const session = Number(stat.slice(stat.lastIndexOf(")")).split(" ")[4]);
    expect(session).toBe(server.pid);
    const environment = (await readFile(`/proc/${server.pid}/environ`, "utf8")).split("\0");
    expect(environment).toContain(`SERVICE_HOME=${here.home}`);
    expect(environment).toContain("SERVICE_EGRESS_ALLOW=example.com");
    expect(environment.filter((entry) => entry.startsWith("npm_"))).toEqual([]);
  });

  it("tells the runner where the server is, and not what opens the database or the secrets", async () => {
    await launched({ SERVICE_SECRETS_KEY: "canary" });
    const runner = await here.whoElse("runner", undefined);
    const environment = (await readFile(`/proc/${runner.pid}/environ`, "utf8")).split("\0");
    expect(environment).toContain(`SERVICE_RUNNER_URL=http://127.0.0.1:${here.port}`);
    expect(environment).toContain(`SERVICE_HOME=${here.home}`);
    expect(environment.filter((entry) => /^(DATABASE_URL|SERVICE_DATABASE_|SERVICE_SECRETS_)/.test(entry))).toEqual([]);
  });

  it("on a home where Roster runs says so with address and pid, ends with 0 and changes nothing", async () => {
    const launcher = await launched();
    const server = await here.who("server");
    const second = launch();
    expect((await second.ended).code).toBe(0);
    const sentence = `Roster already runs on this home at http://localhost:${here.port} (pid ${launcher.pid})`;
    expect(second.said()).toBe(`${sentence}.\n`);
    expect(await here.who("server")).toEqual(server);
  });

  it("with other settings on a home where Roster runs says that they do not count", async () => {
    await launched();
    const second = launch({ PORT: "1" });
    expect((await second.ended).code).toBe(0);
    expect(second.said()).toContain(`http://localhost:${here.port}`);
    expect(second.said()).toContain("stop it first to change that");
  });

  it("many times at once leaves one launcher and one server, and all the others say where", async () => {
    const all = Array.from({ length: 8 }, () => launch());
    await here.whoElse("server", undefined);
    const holder = await here.whoElse("launcher", undefined);
    await here.whoElse("runner", undefined);
    const others = all.filter((launcher) => launcher.pid !== holder.pid);
    expect(others).toHaveLength(7);
    for (const other of others) {
      expect((await other.ended).code).toBe(0);
      expect(other.said()).toContain(`(pid ${holder.pid})`);
    }
    expect(await here.processes()).toHaveLength(3);
  });

  it("is refused in one sentence with the remedy when another program has the port, and leaves nothing behind", async () => {
    const stranger = createServer();
    await new Promise<void>((listening) => stranger.listen(here.port, "127.0.0.1", listening));
    const launcher = launch();
    expect((await launcher.ended).code).toBe(78);
    expect(launcher.said().trimEnd().split("\n")).toEqual([expect.stringMatching(/in use.*PORT=/)]);
    expect(await here.processes()).toEqual([]);
    await new Promise((closed) => stranger.close(closed));
  });

  it("is refused with the server's own sentence when starting it again would not help", async () => {
    const launcher = launch({ STAND_IN: "refuse" });
    expect((await launcher.ended).code).toBe(78);
    expect(launcher.said()).toBe("SERVICE_SOMETHING is wrong; set it to something else.\n");
    expect(await here.processes()).toEqual([]);
  });

  it("with a database of the operator's own starts no other", async () => {
    await launched();
    expect(await here.processes()).toHaveLength(3);
  });

  it("is refused with cause and remedy when the database cannot be started", async () => {
    await blockDatabase(here.home);
    const launcher = launch({ DATABASE_URL: "" });
    expect((await launcher.ended).code).toBe(78);
    expect(launcher.said().trimEnd().split("\n")).toEqual([expect.stringMatching(/database.*\. .*start again\.$/)]);
    expect(await here.processes()).toEqual([]);
  });

  it("is refused with the remedy when the home cannot be written to", async () => {
    await writeFile(here.home, "");
    const launcher = launch();
    expect((await launcher.ended).code).toBe(78);
    expect(launcher.said()).toMatch(/^The home .* cannot be written to .*; set SERVICE_HOME to a folder of yours\.\n$/);
  });
});

describe("a server that ends", () => {
  it("by kill -9 is started again", async () => {
    const launcher = await launched();
    const first = await here.who("server");
    process.kill(first?.pid ?? 0, "SIGKILL");
    const second = await here.whoElse("server", first?.pid);
    await launcher.saying("The server runs again.");
    expect(launcher.said()).toContain("The server ended (signal SIGKILL); starting it again in 0.5 s.");
    expect(await answeringPid()).toBe(second.pid);
  });

  it("by an error is started again and again, with the error's words and growing pauses", async () => {
    const launcher = launch({ STAND_IN: "crash" });
    await launcher.saying("The server ended (Error: This was not expected.); starting it again in 0.5 s.");
    await launcher.saying("The server ended (Error: This was not expected.); starting it again in 1 s.");
    await launcher.saying("The server ended (Error: This was not expected.); starting it again in 2 s.");
    launcher.signal("SIGTERM");
    expect((await launcher.ended).code).toBe(0);
  });
});

describe("a signal", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("%s ends server and launcher, and the launcher with 0", async (name) => {
    const launcher = await launched();
    launcher.signal(name);
    expect(await launcher.ended).toEqual({ code: 0, signal: null });
    expect(launcher.said()).toContain("The server says: was asked to end");
    expect(await here.processes()).toEqual([]);
  });

  it("ends a server that does not listen to it after the grace", async () => {
    const launcher = await launched({ STAND_IN: "deaf" });
    launcher.signal("SIGTERM");
    expect((await launcher.ended).code).toBe(0);
    expect(await here.processes()).toEqual([]);
  });

  it("that comes twice at once, as npm sends it, counts as one", async () => {
    const launcher = await launched({ STAND_IN: "deaf" });
    const startedAt = performance.now();
    launcher.signal("SIGINT");
    await launcher.saying("was asked to end");
    launcher.signal("SIGINT");
    expect((await launcher.ended).code).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(1400);
  });

  it("that comes a second time ends everything at once", async () => {
    const launcher = await launched({ STAND_IN: "deaf" });
    launcher.signal("SIGINT");
    const asked = performance.now();
    await eventually("a second request", async () => (performance.now() - asked > 600 ? true : null));
    launcher.signal("SIGINT");
    expect((await launcher.ended).code).toBe(1);
    expect(performance.now() - asked).toBeLessThan(1400);
    await eventually("the end of the server", async () => ((await here.processes()).length === 0 ? true : null));
  });

  it("that tells of a closed terminal ends nothing", async () => {
    const launcher = await launched();
    const server = await here.who("server");
    launcher.signal("SIGHUP");
    process.kill(server?.pid ?? 0, "SIGKILL");
    await here.whoElse("server", server?.pid);
    expect((await here.who("launcher"))?.pid).toBe(launcher.pid);
  });
});

describe("a launcher that was killed", () => {
  async function orphaned(env: Record<string, string> = {}): Promise<number> {
    const launcher = await launched(env);
    const server = await here.who("server");
    launcher.signal("SIGKILL");
    await launcher.ended;
    expect(await answeringPid()).toBe(server?.pid);
    return server?.pid ?? 0;
  }

  it("leaves a server that goes on, and the next start takes over and keeps", async () => {
    const pid = await orphaned();
    const next = await launched();
    expect(await answeringPid()).toBe(pid);
    process.kill(pid, "SIGKILL");
    await here.whoElse("server", pid);
    next.signal("SIGTERM");
    expect((await next.ended).code).toBe(0);
    expect(await here.processes()).toEqual([]);
  });

  it("leaves a server that the next start stops when it was told to", async () => {
    await orphaned();
    const next = await launched();
    next.signal("SIGTERM");
    expect((await next.ended).code).toBe(0);
    expect(next.said()).toContain("was asked to end");
    expect(await here.processes()).toEqual([]);
  });

  it("leaves a server that the next start replaces when its settings are others", async () => {
    const pid = await orphaned();
    await launched({ SERVICE_EGRESS_ALLOW: "example.com" });
    expect(await answeringPid()).not.toBe(pid);
    expect(await here.processes()).toHaveLength(3);
  });

  it("leaves a server that the next start replaces when it was built from other sources", async () => {
    const pid = await orphaned();
    const buildNote = join(dirname(programs.launcher), "build.json");
    await writeFile(buildNote, JSON.stringify({ hash: "second" }));
    await launched({ BUILD_HASH: "second" });
    await writeFile(buildNote, JSON.stringify({ hash: "first" }));
    expect(await answeringPid()).not.toBe(pid);
    expect(await here.processes()).toHaveLength(3);
  });

  it("before its server had announced itself leaves one that the next start takes over", async () => {
    const launcher = launch({ STAND_IN: "late" });
    const pid = await eventually("the server", () => answeringPid().catch(() => null));
    launcher.signal("SIGKILL");
    await launcher.ended;
    const next = launch();
    const log = join(here.home, "logs", "server.log");
    await eventually("the second server's refusal", async () => ((await readFile(log, "utf8")) === "" ? null : true));
    process.kill(pid, "SIGUSR1");
    await next.saying("Local trusted mode");
    expect(await answeringPid()).toBe(pid);
    expect(await here.processes()).toHaveLength(3);
  });
});
