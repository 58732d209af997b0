// The adapter of Claude Code with a program in its place that prints what the real one has printed.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunOrder } from "@roster/contract";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { carriersOf } from "../src/survivors.ts";
import type { PlannedRun } from "./fixture/control-plane.ts";
import { eventually } from "./fixture/place.ts";
import { buildRunner, type Stage, stage } from "./fixture/runner-process.ts";

const command = fileURLToPath(new URL("fixture/stand-in.mjs", import.meta.url));
const session = { id: "1b2c3d4e-0000-4000-8000-00000000000d" };
let built: Awaited<ReturnType<typeof buildRunner>>;
let here: Stage;
let cwd: string;

beforeAll(async () => {
  built = await buildRunner();
  return built.remove;
});
beforeEach(async () => {
  here = await stage(built.entry);
  cwd = join(here.home, "work");
  await mkdir(cwd);
  return async () => expect(await here.clear()).toEqual({ pids: [] });
});

const queue = (parts: Partial<RunOrder> = {}): PlannedRun =>
  here.queue("", { adapterType: "claude_local", adapterConfig: { command, cwd }, ...parts });

interface Start {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly skill: string | null;
}

/** Every start of the program so far. */
async function starts(): Promise<readonly Start[]> {
  const text = await readFile(join(cwd, "starts"), "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Start);
}

const kindsOf = ({ events }: PlannedRun): readonly string[] => events.map(({ kind }) => kind);
const dataOf = ({ events }: PlannedRun, kind: string): readonly unknown[] =>
  events.filter((event) => event.kind === kind).map(({ data }) => data);
const worked = ["session", "tool_call", "tool_result", "message", "usage", "result"];

describe("a run of a program that works on its own", () => {
  it("is told as events, with tokens and cost; the prompt goes by its input, skills are where it looks for them", async () => {
    const text = "---\nname: greet\ndescription: Greets.\n---\n";
    const contentHash = createHash("sha256").update("greet").digest("hex");
    here.plane.skills.set(contentHash, [{ path: "SKILL.md", base64: Buffer.from(text).toString("base64") }]);
    here.start();
    const run = queue({ skills: [{ key: "local/greet", slug: "greet", contentHash }], capMicros: 250_000 });
    expect(await here.settled(run)).toMatchObject({ code: "ok", exitCode: 0 });
    expect(kindsOf(run)).toEqual(worked);
    expect(dataOf(run, "usage")).toEqual([
      {
        provider: "anthropic",
        model: "claude-sonnet-5",
        inputTokens: 200,
        cachedInputTokens: 20,
        outputTokens: 10,
        costMicros: 756,
      },
    ]);
    const [start] = await starts();
    expect(start).toMatchObject({ stdin: "Do the work.", skill: text });
    expect(start?.args).toEqual(expect.arrayContaining(["--max-budget-usd", "0.250000"]));
    expect(start?.args).not.toContain("--resume");
  });

  it("goes on with the session of its order", async () => {
    await writeFile(join(cwd, "known"), session.id);
    here.start();
    const run = queue({ session });
    expect(await here.settled(run)).toMatchObject({ code: "ok" });
    expect(await starts()).toMatchObject([{ args: expect.arrayContaining(["--resume", session.id]) }]);
  });

  it("whose session is lost is started once more in the same run, without it", async () => {
    here.start();
    const run = queue({ session });
    expect(await here.settled(run)).toMatchObject({ code: "ok", exitCode: 0 });
    const both = await starts();
    expect(both.map(({ args }) => args.includes("--resume"))).toEqual([true, false]);
    expect(both.map(({ stdin }) => stdin)).toEqual(["Do the work.", "Do the work."]);
    expect([run.starts, run.outcomes.length]).toEqual([1, 1]);
    expect(kindsOf(run)).toEqual(expect.arrayContaining(["output", ...worked]));
    expect(dataOf(run, "session")).toHaveLength(1);
  });

  it("that is refused its key, or for now, says so, and is not started again for it", async () => {
    here.start();
    for (const [plays, expected] of [
      ["claude-code-unauthorized", { code: "auth_failed" }],
      ["claude-code-rate-limit", { code: "rate_limited", retryAfterSec: 2 }],
    ] as const) {
      await writeFile(join(cwd, "plays"), plays);
      expect(await here.settled(queue())).toMatchObject({ exitCode: 1, ...expected });
    }
    expect(await starts()).toHaveLength(2);
  });
});

it("a run that is cancelled is booked by what its answers said they used", async () => {
  await writeFile(join(cwd, "wait"), "");
  here.start();
  const run = queue();
  await eventually("its first answer", async () => (kindsOf(run).includes("tool_call") ? true : null));
  here.plane.end(run.order.runId, "cancelled");
  expect(await here.settled(run)).toMatchObject({ code: "cancelled" });
  const used = { inputTokens: 100, cachedInputTokens: 10, outputTokens: 0 };
  expect(dataOf(run, "usage")).toEqual([{ provider: "anthropic", model: "claude-sonnet-5", ...used }]);
});

describe("P7: a runner killed with -9 and restarted, when a session was lost,", () => {
  it("during the fresh start takes that over: it tells everything once, and starts nothing more", async () => {
    await writeFile(join(cwd, "wait"), "");
    const first = here.start();
    const run = queue({ session });
    await eventually("the fresh session", async () => (kindsOf(run).includes("session") ? true : null));
    await first.kill();
    here.start();
    await writeFile(join(cwd, "go"), "");
    expect(await here.settled(run)).toMatchObject({ code: "ok", exitCode: 0 });
    expect(await starts()).toHaveLength(2);
    const alone = queue({ session });
    await here.settled(alone);
    const told = ({ events }: PlannedRun) =>
      events.map(({ kind, stream, text, data }) => ({ kind, stream, text, data }));
    const byStream = (each: PlannedRun) => [...told(each)].sort((a, b) => a.stream.localeCompare(b.stream));
    expect(byStream(run)).toEqual(byStream(alone));
  });

  it("between noting a fresh start and making it, makes it", async () => {
    await writeFile(join(cwd, "wait"), "");
    const first = here.start();
    const run = queue({ session });
    await eventually("the fresh session", async () => (kindsOf(run).includes("session") ? true : null));
    await first.kill();
    const record = join(here.home, "runner", "spool", run.order.runId, "fresh-run.json");
    const noted = JSON.parse(await readFile(record, "utf8")) as { process: { pid: number } };
    process.kill(-noted.process.pid, "SIGKILL");
    await eventually("its end", async () => ((await carriersOf(run.order.runId)).length === 0 ? true : null));
    await writeFile(record, JSON.stringify({ ...noted, process: null }));
    await writeFile(join(cwd, "go"), "");
    here.start();
    expect(await here.settled(run)).toMatchObject({ code: "ok" });
    expect((await starts()).map(({ args }) => args.includes("--resume"))).toEqual([true, false, false]);
  });

  it("while the server cannot be told the end, starts nothing more and tells it when it can", async () => {
    const first = here.start();
    here.plane.fail("settle", 1000, 503);
    const run = queue({ session });
    await eventually("an attempt to settle", async () => (here.plane.failuresLeft("settle") < 1000 ? true : null));
    await first.kill();
    here.plane.fail("settle", 0, 503);
    here.start();
    expect(await here.settled(run)).toMatchObject({ code: "ok", exitCode: 0 });
    expect(await starts()).toHaveLength(2);
    expect(dataOf(run, "result")).toHaveLength(2);
  });
});
