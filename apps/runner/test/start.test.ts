import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Ending } from "../src/ending.ts";
import { candidatesOf } from "../src/find-command.ts";
import { hostEnvironment } from "../src/host-environment.ts";
import { type RunOrder, startRun } from "../src/start-run.ts";
import type { SupervisedRun } from "../src/supervise.ts";
import { type Place, place, saying } from "./fixture/place.ts";

let here: Place;

beforeEach(async () => {
  here = await place();
  return async () => expect(await here.clear()).toEqual([]);
});

async function output(run: SupervisedRun): Promise<Buffer> {
  await run.ended;
  return await readFile(run.spool.stdout);
}

const byItself = (ending: Partial<Ending>): Ending => ({
  exitCode: null,
  signal: null,
  lost: false,
  reason: null,
  ...ending,
});

describe("a start that cannot be", () => {
  const refusals: readonly (readonly [string, Partial<RunOrder>, string, string])[] = [
    ["a command that is nowhere in PATH", { command: "no-such-program" }, "adapter_missing", "no-such-program"],
    ["a path that leads nowhere", { command: "/nowhere/program" }, "adapter_missing", "/nowhere/program"],
    ["a command without a name", { command: "" }, "adapter_missing", "not there"],
    ["a folder in the command's place", { command: "/usr/bin/." }, "adapter_missing", "not there"],
    ["a file that is not executable", { command: "./plain" }, "adapter_missing", "plain is not executable"],
    ["a working folder that is not there", { cwd: "/nowhere" }, "adapter_misconfigured", "/nowhere"],
    ["an argument with a NUL", { args: ["a\0b"] }, "adapter_misconfigured", "NUL"],
    ["an argument beyond the system's limit", { args: ["x".repeat(200_000)] }, "adapter_misconfigured", "E2BIG"],
    ["a variable that the wrapper would change", { env: { s: "mine" } }, "adapter_misconfigured", '"s"'],
  ];

  it.each(refusals)("%s is told with its cause and leaves no spool", async (_name, parts, cause, words) => {
    await writeFile(join(here.folder, "plain"), "#!/bin/sh\n", { mode: 0o644 });
    const order = here.order(parts);
    const outcome = await startRun(order);
    expect(outcome).toEqual({ kind: "failed", cause, message: expect.stringContaining(words) });
    await expect(stat(order.folder)).rejects.toThrow("ENOENT");
  });

  it("into the folder of another start is refused, and that one's output stays", async () => {
    const first = await here.start({ script: "echo first" });
    await first.ended;
    await expect(startRun(here.order({ folder: first.spool.folder }))).rejects.toThrow("EEXIST");
    expect(String(await output(first))).toBe("first\n");
  });
});

describe("an ending", () => {
  const cases: readonly (readonly [string, string, Partial<Ending>])[] = [
    ["success is 0", "exit 0", { exitCode: 0 }],
    ["failure is its exit code", "exit 3", { exitCode: 3 }],
    ["a program's own 127 is no missing command", "exit 127", { exitCode: 127 }],
    ["a program's own 126 is no forbidden command", "exit 126", { exitCode: 126 }],
    ["255 is an exit code, since there is no such signal", "exit 255", { exitCode: 255 }],
    ["a crash is its signal", "kill -SEGV $$", { signal: "SIGSEGV" }],
    ["a killed program is SIGKILL", "kill -KILL $$", { signal: "SIGKILL" }],
    ["a program that closes its outputs is waited for", "exec >&- 2>&-; exit 4", { exitCode: 4 }],
  ];

  it.each(cases)("%s", async (_name, script, ending) => {
    const run = await here.start({ script });
    expect(await run.ended).toEqual(byItself(ending));
  });

  it("without a status, because the wrapper was killed too, is lost", async () => {
    const run = await here.start({ script: "kill -KILL 0" });
    expect(await run.ended).toEqual(byItself({ signal: "SIGKILL", lost: true }));
  });

  it("a program named like one of the shell's own commands is that program", async () => {
    await mkdir(join(here.folder, "bin"));
    await writeFile(join(here.folder, "bin/exit"), "#!/bin/sh\necho ran\nexit 9\n");
    await chmod(join(here.folder, "bin/exit"), 0o755);
    const env = { PATH: `${here.folder}/bin:/usr/bin:/bin` };
    const run = await here.start({ command: "exit", args: ["1"], env });
    expect(await run.ended).toEqual(byItself({ exitCode: 9 }));
    expect(String(await output(run))).toBe("ran\n");
  });
});

describe("a started program", () => {
  it("gets its arguments as they are, whatever they contain", async () => {
    const odd = ["", " ", "two words", "'", '"', "a\nb", "$(touch x)", "`id`", "$HOME", "*", "\\", ";&|", "-n", "é→"];
    const run = await here.start({ command: "printf", args: ["%s\\0", ...odd] });
    expect((await output(run)).toString().split("\0").slice(0, -1)).toEqual(odd);
    await expect(stat(join(here.folder, "x"))).rejects.toThrow("ENOENT");
  });

  it("gets its environment as it is, with the run's id and nothing of the runner's", async () => {
    const env = { PATH: "/usr/bin:/bin", ODD: "a b\n$(x)'\"", EMPTY: "" };
    const run = await here.start({ command: "cat", args: ["/proc/self/environ"], env });
    const entries = (await output(run))
      .toString()
      .split("\0")
      .filter((entry) => entry !== "");
    const given = [...Object.entries(env), ["SERVICE_RUN_ID", run.runId]].map(([name, value]) => `${name}=${value}`);
    // The shell says where it is.
    expect(entries.filter((entry) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(entry)).sort()).toEqual(given.sort());
  });

  it("has no secret of its environment or its input in anybody's arguments", async () => {
    const script = "cat /proc/$$/cmdline /proc/$PPID/cmdline";
    const env = { ...hostEnvironment(process.env), KEY: "secret-in-environment" };
    const run = await here.start({ script, env, stdin: "secret-in-prompt" });
    const said = (await output(run)).toString();
    expect(said).toContain(run.spool.status);
    expect(said).not.toMatch(/secret-in/);
  });

  it("reads its input to the end", async () => {
    const stdin = `${"prompt é\n".repeat(100_000)}end`;
    const run = await here.start({ command: "cat", args: [], stdin });
    expect((await output(run)).toString()).toBe(stdin);
  });

  it("without input reads nothing and does not hang", async () => {
    const run = await here.start({ command: "cat", args: [] });
    expect(await run.ended).toEqual(byItself({ exitCode: 0 }));
  });

  it("has both outputs kept apart and byte by byte, binary too", async () => {
    const all =
      "for (const fd of [1, 2]) fs.writeSync(fd, Buffer.from(Array.from({length: 256}, (_, n) => fd === 1 ? n : 255 - n)))";
    const run = await here.start({ command: process.execPath, args: ["-e", all] });
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    expect(await output(run)).toEqual(bytes);
    expect(await readFile(run.spool.stderr)).toEqual(Buffer.from(bytes).reverse());
  });

  it("that opens its own output once more for appending loses nothing", async () => {
    const run = await here.start({ script: "echo a; echo b >>/dev/stdout; echo c; echo d >>/dev/stdout" });
    expect((await output(run)).toString()).toBe("a\nb\nc\nd\n");
  });

  it("leads a session of its own, so that nothing meant for the runner reaches it", async () => {
    const run = await here.start({ script: "cat /proc/$PPID/stat" });
    const fields = (await output(run)).toString().split(") ")[1]?.split(" ") ?? [];
    expect(fields.slice(2, 4).map(Number)).toEqual([run.process?.pid, run.process?.pid]);
  });

  it("has a spool that only its user can read", async () => {
    const run = await here.start({ stdin: "x" });
    await run.ended;
    const { folder, stdout, stderr, record } = run.spool;
    const modes = await Promise.all([folder, stdout, stderr, record].map(async (path) => (await stat(path)).mode));
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600, 0o600]);
  });
});

describe("what passes from the host", () => {
  it("is a list, in which nothing unknown is", () => {
    const host = {
      PATH: "/bin",
      LC_ALL: "C",
      TZ: "UTC",
      DATABASE_URL: "x",
      SERVICE_SECRETS_KEY: "x",
      NODE_OPTIONS: "x",
    };
    expect(hostEnvironment({ ...host, HOME: undefined })).toEqual({ PATH: "/bin", LC_ALL: "C", TZ: "UTC" });
  });

  it("a command is looked for as every shell does it", () => {
    expect(candidatesOf("a", "/x::rel", "/w")).toEqual(["/x/a", "/w/a", "/w/rel/a"]);
    expect(candidatesOf("./a", "/x", "/w")).toEqual(["/w/a"]);
  });
});

it("what a program reads does not stay on the disk, and can be opened again by it", async () => {
  const run = await here.start({ script: "cat; cat /dev/stdin; exec sleep 1000", stdin: "prompt\n" });
  await saying(run, "prompt");
  await expect(stat(run.spool.stdin)).rejects.toThrow("ENOENT");
  await run.end("cancelled", 20);
});
