import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adoptRun } from "../src/adopt-run.ts";
import { identify, isRunning, type ProcessIdentity, parseStat } from "../src/process-identity.ts";
import { readRecord, writeRecord } from "../src/run-record.ts";
import type { RunOrder } from "../src/start-run.ts";
import { carriersOf } from "../src/survivors.ts";
import { begun, buildDriver, endingsIn, storedOutput } from "./fixture/driver-process.ts";
import type { Told } from "./fixture/driver-words.ts";
import { bystander, eventually, type Place, place, saying } from "./fixture/place.ts";

let built: Awaited<ReturnType<typeof buildDriver>>;
let here: Place;

beforeAll(async () => {
  built = await buildDriver();
});
afterAll(() => built.remove());

beforeEach(async () => {
  here = await place();
  return async () => expect(await here.clear()).toEqual([]);
});

function counting(lines: number): string {
  return `i=0; while [ $i -lt ${lines} ]; do echo "line $i"; echo "error $i" >&2; i=$((i+1)); sleep 0.1; done; exit 7`;
}

/** Starts an order with a runner that is killed as soon as `isTime`; returns what it told. */
async function startAndKill(order: RunOrder, isTime: (told: readonly Told[]) => boolean): Promise<readonly Told[]> {
  const driver = built.drive({ order });
  await eventually("the time to kill", async () => (isTime(driver.told) ? true : null));
  await driver.kill();
  return driver.told;
}

/** A run that hangs, left behind by a runner. */
async function leftBehind(script = "echo ready; exec sleep 1000"): Promise<RunOrder> {
  const order = here.order({ script });
  await startAndKill(order, (told) => storedOutput(told, "stdout").includes("ready"));
  return order;
}

describe("a runner killed with -9", () => {
  it("during a run, and restarted, has every line once and one ending", async () => {
    const lines = 20;
    const order = here.order({ script: counting(lines) });
    const told = [...(await startAndKill(order, (each) => storedOutput(each, "stdout").includes("line 7\n")))];
    expect(endingsIn(told)).toEqual([]);
    // The next one is killed too: it rereads from the start, and what it repeats is known.
    const second = built.drive({ order, adopts: true });
    await eventually("more lines", async () =>
      storedOutput(second.told, "stdout").includes("line 12\n") ? true : null,
    );
    await second.kill();
    const third = built.drive({ order, adopts: true });
    await third.closed;
    told.push(...second.told, ...third.told);
    const numbers = Array.from({ length: lines }, (_, n) => n);
    expect(storedOutput(told, "stdout")).toBe(numbers.map((n) => `line ${n}\n`).join(""));
    expect(storedOutput(told, "stderr")).toBe(numbers.map((n) => `error ${n}\n`).join(""));
    expect(endingsIn(told)).toEqual([{ exitCode: 7, signal: null, lost: false, reason: null }]);
  });

  it("while the run ends, at whatever moment, finds its last line and its exit code", async () => {
    for (let round = 0; round < 8; round += 1) {
      const order = here.order({ script: "echo bye; exit 3" });
      const driver = built.drive({ order });
      await begun(driver);
      // The end takes a few milliseconds; each round strikes at another one of them.
      await new Promise((strike) => setTimeout(strike, round));
      await driver.kill();
      const run = await adoptRun(order.folder);
      expect(await run?.ended).toEqual({ exitCode: 3, signal: null, lost: false, reason: null });
      if (run) expect(await saying(run, "bye")).toBe("bye\n");
    }
  });

  it("before the run ended by itself is told how it ended meanwhile", async () => {
    const order = here.order({ script: "echo ready; while ! test -e go; do sleep 0.02; done; kill -ABRT $$" });
    await startAndKill(order, (told) => storedOutput(told, "stdout").includes("ready"));
    await writeFile(join(here.folder, "go"), "");
    await eventually("the end", async () => ((await carriersOf(order.runId)).length === 0 ? true : null));
    const run = await adoptRun(order.folder);
    expect(await run?.ended).toEqual({ exitCode: null, signal: "SIGABRT", lost: false, reason: null });
  });

  it("leaves a run that the next one can end, with all its children", async () => {
    const order = await leftBehind("setsid sleep 1000 & echo ready; sleep 1000");
    const run = await adoptRun(order.folder);
    expect(await run?.end("cancelled", 20)).toEqual({
      exitCode: null,
      signal: "SIGTERM",
      lost: false,
      reason: "cancelled",
    });
    expect(await carriersOf(order.runId)).toEqual([]);
  });

  it("leaves a run that is lost when its whole group is killed meanwhile", async () => {
    const order = await leftBehind();
    const run = await adoptRun(order.folder);
    process.kill(-(run?.process?.pid ?? 0), "SIGKILL");
    expect(await run?.ended).toEqual({ exitCode: null, signal: "SIGKILL", lost: true, reason: null });
  });

  it("between making a process and noting which, leaves one that is found by its run's id", async () => {
    const order = await leftBehind();
    const started = await adoptRun(order.folder);
    if (!started?.process) throw new Error("not adopted");
    writeRecord(started.spool, { runId: order.runId, startedMs: started.startedMs, process: null });
    const found = await adoptRun(order.folder);
    expect(found?.process).toEqual(started.process);
    expect(readRecord(started.spool)?.process).toEqual(started.process);
    expect((await found?.end("cancelled", 20))?.signal).toBe("SIGTERM");
    await started.ended;
  });

  it("before anything was started leaves nothing to adopt", async () => {
    const folder = join(here.folder, "empty");
    expect(await adoptRun(folder)).toBeNull();
    await mkdir(folder);
    await writeFile(join(folder, "run.json"), '{"runId":"');
    expect(await adoptRun(folder)).toBeNull();
  });

  it("is no way for its own environment into the run", async () => {
    const order = here.order({ command: "cat", args: ["/proc/self/environ"], env: {} });
    const driver = built.drive({ order }, { SERVICE_SECRETS_KEY: "canary", DATABASE_URL: "canary", LANG: "C.UTF-8" });
    await driver.closed;
    expect(storedOutput(driver.told, "stdout")).toContain("LANG=C.UTF-8");
    expect(storedOutput(driver.told, "stdout")).not.toContain("canary");
  });
});

describe("a pid that belongs to another process now", () => {
  const forgeries: readonly (readonly [string, (real: ProcessIdentity) => ProcessIdentity])[] = [
    ["started at another time", (real) => ({ ...real, startTime: `${Number(real.startTime) - 1}` })],
    ["started after another boot", (real) => ({ ...real, bootId: "00000000-0000-0000-0000-000000000000" })],
    ["is everybody", (real) => ({ ...real, pid: 1 })],
  ];

  it.each(forgeries)("is never signalled: it %s", async (_name, forge) => {
    const stranger = await bystander();
    const real = identify(stranger.pid);
    if (real === null) throw new Error("no bystander");
    const finished = await here.start();
    await finished.ended;
    writeRecord(finished.spool, { runId: finished.runId, startedMs: 0, process: forge(real) });
    const run = await adoptRun(finished.spool.folder);
    await run?.end("cancelled", 0);
    expect((await run?.ended)?.exitCode).toBe(0);
    expect(isRunning(real)).toBe(true);
    await stranger.end();
    expect(isRunning(real)).toBe(false);
  });
});

it("a process is recognised whatever its program is called", () => {
  const stat = `12 (a) Z (b ) R 1 12 34 0 -1 4194560 ${"0 ".repeat(12)}998877 5 6`;
  expect(parseStat(stat)).toEqual({ state: "R", session: 34, startTime: "998877" });
});
