import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { carriersOf } from "../src/survivors.ts";
import { logOf, type PlannedRun } from "./fixture/control-plane.ts";
import { eventually } from "./fixture/place.ts";
import { buildRunner, plainOrder, type Stage, stage } from "./fixture/runner-process.ts";

let built: Awaited<ReturnType<typeof buildRunner>>;
let here: Stage;

beforeAll(async () => {
  built = await buildRunner();
  return built.remove;
});
beforeEach(async () => {
  here = await stage(built.entry);
  return async () => expect(await here.clear()).toEqual({ pids: [] });
});

async function settledAs(run: PlannedRun) {
  const { code, exitCode, signal, limit, message } = await here.settled(run);
  expect(message).toMatch(/^[A-Z].*\.$/s);
  return { code, exitCode, signal, limit };
}

/** Resolves when nothing of any run is left in the home. */
async function tidy(): Promise<void> {
  for (const folder of ["spool", "runs"]) {
    await eventually("a tidy home", async () =>
      (await readdir(join(here.home, "runner", folder))).length === 0 ? true : null,
    );
  }
}

const byItself = { code: "agent_error", exitCode: null, signal: null, limit: null };

describe("a run", () => {
  it("is claimed, started, told and settled, once each, and leaves nothing behind", async () => {
    here.start();
    const run = here.queue('cat; echo; echo "in $PWD"; echo oops >&2; echo \'{"type":"message","text":"hi"}\'; exit 3');
    expect(await settledAs(run)).toEqual({ ...byItself, exitCode: 3 });
    const { companyId, agentId } = run.order;
    const cwd = join(here.home, "runner", "work", companyId, agentId);
    expect(String(logOf(run))).toBe(`Do the work.\nin ${cwd}\n`);
    expect(String(logOf(run, "stderr"))).toBe("oops\n");
    expect(run.events.find(({ kind }) => kind === "message")?.data).toEqual({ text: "hi" });
    expect([run.starts, run.calls, run.outcomes.length]).toEqual([1, 1, 1]);
    await tidy();
    expect((await stat(join(here.home, "runner"))).mode & 0o777).toBe(0o700);
  });

  it("that succeeds is ok", async () => {
    here.start();
    expect(await settledAs(here.queue("exit 0"))).toEqual({ ...byItself, code: "ok", exitCode: 0 });
  });

  it("is told while it goes on", async () => {
    here.start();
    const run = here.queue("echo first; while ! test -e go; do sleep 0.02; done; echo second");
    await eventually("the first line", async () => (String(logOf(run)) === "first\n" ? true : null));
    expect(run.outcomes).toEqual([]);
    const { companyId, agentId } = run.order;
    await writeFile(join(here.home, "runner", "work", companyId, agentId, "go"), "");
    expect((await settledAs(run)).code).toBe("ok");
    expect(String(logOf(run))).toBe("first\nsecond\n");
  });

  it("has its folder, its environment, its instructions and its skills", async () => {
    const content = Buffer.from("#!/bin/sh\necho tool\n").toString("base64");
    const contentHash = createHash("sha256").update("skill").digest("hex");
    here.plane.skills.set(contentHash, [
      { path: "SKILL.md", base64: Buffer.from("# Skill\n").toString("base64") },
      { path: "bin/tool", base64: content },
    ]);
    here.start({ SECRET_OF_THE_HOST: "canary", SERVICE_HOME: here.home });
    const parts = {
      env: { OWN: "value", SERVICE_API_URL: "mine" },
      instructions: { entryFile: "AGENTS.md", files: { "AGENTS.md": "Be good.\n", "more/detail.md": "Very.\n" } },
      skills: [{ key: "a/b", slug: "b", contentHash }],
    };
    const script =
      'cat "$SERVICE_INSTRUCTIONS_FILE" "$(dirname "$SERVICE_INSTRUCTIONS_FILE")/more/detail.md" "$SERVICE_SKILLS_DIR/b/SKILL.md"; ' +
      '"$SERVICE_SKILLS_DIR/b/bin/tool"; echo "$OWN $SERVICE_API_URL $SERVICE_RUN_ID"; env | grep -c canary; rm -r "$SERVICE_SKILLS_DIR/b"';
    for (const _ of ["fetched", "from the cache"]) {
      const run = here.queue(script, parts);
      expect((await settledAs(run)).code).toBe("ok");
      const words = `value http://localhost:3100 ${run.order.runId}`;
      expect(String(logOf(run))).toBe(`Be good.\nVery.\n# Skill\ntool\n${words}\n0\n`);
    }
    expect(here.plane.fetched).toEqual([contentHash]);
    await tidy();
  });

  it("never tells a secret nor its credential, wherever what it prints is cut", async () => {
    here.start();
    const secret = "a-secret-value-42";
    const script =
      'printf "%s" "$TOKEN" | cut -c1-9 | tr -d "\\n"; sleep 0.3; printf "%s\\n" "$TOKEN" | cut -c10-; ' +
      'echo "key $SERVICE_API_KEY"; printf "%s" "$TOKEN" | base64; echo "{\\"type\\":\\"message\\",\\"text\\":\\"$TOKEN\\"}"; printf end';
    const run = here.queue(script, { env: { TOKEN: secret }, secrets: [secret] });
    await here.settled(run);
    const all = JSON.stringify(run.events);
    expect(all).not.toContain(secret);
    expect(all).not.toContain("run-credential");
    expect(String(logOf(run))).toMatch(/^\[redacted\]\nkey \[redacted\]\n.*\[redacted\].*\nend$/s);
    expect(run.events.find(({ kind }) => kind === "message")?.data).toEqual({ text: "[redacted]" });
  });

  it("of bytes that are no text is told byte for byte", async () => {
    here.start();
    const run = here.queue("printf 'a\\000b\\n'; printf '\\377\\376\\n'; head -c 200000 /dev/zero; printf 'é\\n'");
    expect((await settledAs(run)).code).toBe("ok");
    const expected = ["a\0b\n", Buffer.from([255, 254, 10]), Buffer.alloc(200_000), "é\n"];
    expect(logOf(run).equals(Buffer.concat(expected.map((part) => Buffer.from(part))))).toBe(true);
  });

  it("whose shell finds no program is told in the shell's own words", async () => {
    here.start();
    const run = here.queue("no-such-program-anywhere");
    expect(await settledAs(run)).toEqual({ ...byItself, exitCode: 127 });
    expect(String(logOf(run, "stderr"))).toMatch(/no-such-program-anywhere.*not found/);
  });
});

describe("a run that cannot be started", () => {
  it.each([
    ["without its program", { adapterConfig: { command: "no-such-program" } }, "adapter_missing", "no-such-program"],
    ["of an adapter that is not here", { adapterType: "of_tomorrow" }, "adapter_missing", "of_tomorrow"],
    ["with settings nobody knows", { adapterConfig: { command: 7 } }, "adapter_misconfigured", "command"],
    [
      "in a folder that is not there",
      { adapterConfig: { command: "ls", cwd: "/nowhere" } },
      "adapter_misconfigured",
      "/",
    ],
    [
      "with a file that leads out of its folder",
      { instructions: { entryFile: "../x", files: { "../x": "" } } },
      "adapter_misconfigured",
      "leads out",
    ],
  ])("%s is settled with its cause", async (_name, parts, code, words) => {
    here.start();
    const run = here.queue("exit 0", parts);
    const outcome = await here.settled(run);
    expect(outcome).toMatchObject({ code, exitCode: null, message: expect.stringContaining(words) });
    expect(run.starts).toBe(0);
    await tidy();
  });

  it("without a skill that it should have is settled, not tried for ever", async () => {
    here.start();
    const run = here.queue("exit 0", { skills: [{ key: "a/b", slug: "b", contentHash: "0".repeat(64) }] });
    expect(await settledAs(run)).toEqual({ ...byItself, code: "internal" });
    expect(here.plane.fetched).toHaveLength(1);
  });

  it("because its order is not to be understood is settled, and holds up no other", async () => {
    here.start();
    const odd = here.queue("exit 0", { limits: {} as never });
    expect(await settledAs(odd)).toEqual({ ...byItself, code: "internal" });
    expect(await settledAs(here.queue("exit 0"))).toMatchObject({ code: "ok" });
  });

  it("in time is timed out at the start", async () => {
    here.start();
    here.plane.fail("skill", 1000, 500);
    const skills = [{ key: "a/b", slug: "b", contentHash: "0".repeat(64) }];
    const limits = { ...plainOrder("").limits, startSec: 0.5 };
    const run = here.queue("exit 0", { skills, limits });
    expect(await settledAs(run)).toEqual({ ...byItself, code: "timed_out", limit: "start" });
  });
});

describe("an end that is asked for", () => {
  it.each(["cancelled", "budget_exhausted"] as const)("for %s comes within the grace", async (reason) => {
    here.start();
    const run = here.queue("echo ready; exec sleep 1000");
    await eventually("the run", async () => (String(logOf(run)) === "ready\n" ? true : null));
    here.plane.end(run.order.runId, reason);
    expect(await settledAs(run)).toEqual({ ...byItself, code: reason, signal: "SIGTERM" });
    expect(run.outcomes).toHaveLength(1);
  });

  it("ends a program that ignores it, what it has forked and what has left its session", async () => {
    here.start();
    const limits = { ...plainOrder("").limits, graceSec: 0.3 };
    const script = "trap '' TERM; setsid sleep 1000 & (trap '' TERM; sleep 1000) & echo ready; sleep 1000; sleep 1000";
    const run = here.queue(script, { limits });
    await eventually("the run", async () => (String(logOf(run)) === "ready\n" ? true : null));
    here.plane.end(run.order.runId, "cancelled");
    expect(await settledAs(run)).toEqual({ ...byItself, code: "cancelled", signal: "SIGKILL" });
    expect(await carriersOf(run.order.runId)).toEqual([]);
  });

  it("while it is being prepared comes at once", async () => {
    here.start();
    here.plane.fail("skill", 1000, 500);
    const skills = [{ key: "a/b", slug: "b", contentHash: "0".repeat(64) }];
    const run = here.queue("exit 0", { skills });
    await eventually("the claim", async () => (run.leased ? true : null));
    here.plane.end(run.order.runId, "cancelled");
    expect(await settledAs(run)).toEqual({ ...byItself, code: "cancelled" });
    expect(run.starts).toBe(0);
  });

  it("by its own limits is told with the limit", async () => {
    here.start();
    const { limits } = plainOrder("");
    const silent = here.queue("echo x; exec sleep 1000", { limits: { ...limits, silenceSec: 1 } });
    const long = here.queue("while :; do echo x; sleep 0.1; done", { limits: { ...limits, wallSec: 1 } });
    expect(await settledAs(silent)).toMatchObject({ code: "timed_out", limit: "silence" });
    expect(await settledAs(long)).toMatchObject({ code: "timed_out", limit: "wall" });
  });
});

describe("capacity", () => {
  it("is never exceeded, and a run that ends makes room at once for one that waits", async () => {
    here.start({ SERVICE_RUNNER_CAPACITY: "2", SERVICE_RUNNER_LABELS: "gpu, big" });
    const script = "echo ready; sleep 0.2";
    const runs = Array.from({ length: 8 }, () => here.queue(script));
    let most = 0;
    await eventually("all ends", async () => {
      most = Math.max(most, runs.filter(({ leased }) => leased).length);
      return runs.every(({ outcomes }) => outcomes.length === 1) ? true : null;
    });
    expect(most).toBe(2);
    expect(new Set(here.plane.claims.map(({ capacity }) => capacity))).toEqual(new Set([0, 1, 2]));
    expect(here.plane.claims[0]?.labels).toEqual(["gpu", "big"]);
  });

  it("of none still hears of a cancellation", async () => {
    here.start({ SERVICE_RUNNER_CAPACITY: "1" });
    const run = here.queue("exec sleep 1000");
    await eventually("a claim without room", async () => (here.plane.claims.at(-1)?.capacity === 0 ? true : null));
    here.plane.end(run.order.runId, "cancelled");
    expect((await settledAs(run)).code).toBe("cancelled");
  });
});

describe("a start of the runner", () => {
  it.each([
    [{ SERVICE_RUNNER_URL: "" }, "SERVICE_RUNNER_URL"],
    [{ SERVICE_RUNNER_URL: "ftp://x" }, "SERVICE_RUNNER_URL"],
    [{ SERVICE_RUNNER_CAPACITY: "many" }, "SERVICE_RUNNER_CAPACITY"],
    [{ SERVICE_RUNNER_LABELS: "a b" }, "SERVICE_RUNNER_LABELS"],
    [{ SERVICE_RUNNER_TOKEN_FILE: "token" }, "SERVICE_RUNNER_TOKEN_FILE"],
  ])("with %j is refused in one sentence that names the setting", async (env, name) => {
    const runner = here.start(env);
    expect(await runner.ended).toBe(78);
    expect(runner.said().trimEnd().split("\n")).toEqual([expect.stringMatching(`^The setting ${name} is .*\\.$`)]);
  });

  it("on a home where a runner is already is refused", async () => {
    const first = here.start();
    await eventually("the first", async () => (first.said().includes("running") ? true : null));
    const second = here.start();
    expect(await second.ended).toBe(78);
    expect(second.said()).toContain(`The process ${first.pid} (runner) already answers`);
  });

  it("waits for its token, and reads it again when it is refused", async () => {
    await writeFile(join(here.home, "runner.token"), "");
    const runner = here.start();
    await eventually("the wait", async () => (runner.said().includes("waiting for the token") ? true : null));
    await writeFile(join(here.home, "runner.token"), "svr_good\n");
    expect((await settledAs(here.queue("exit 0"))).code).toBe("ok");
    here.plane.tokens.clear();
    here.plane.tokens.add("svr_other");
    await writeFile(join(here.home, "runner.token"), "svr_other\n");
    expect((await settledAs(here.queue("exit 0"))).code).toBe("ok");
  });

  it("tells nothing of what runs print, nor of any secret, in its own log", async () => {
    const runner = here.start({ SERVICE_LOG_LEVEL: "trace" });
    const run = here.queue("echo canary-of-output; exit 1", {
      env: { A: "canary-of-env" },
      prompt: "canary-of-prompt",
    });
    await here.settled(run);
    expect(runner.said()).toContain(run.order.runId);
    expect(runner.said()).not.toMatch(/canary|svr_|run-credential/);
  });

  it("takes little memory", async () => {
    const runner = here.start();
    await here.settled(here.queue("exit 0"));
    const status = await readFile(`/proc/${runner.pid}/status`, "utf8");
    const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    process.stderr.write(`Runner: ${Math.round(kib / 1024)} MiB\n`);
    expect(kib).toBeLessThan(130 * 1024);
  });
});
