import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { endingOf } from "../src/ending.ts";
import { identify } from "../src/process-identity.ts";
import { carriersOf, endSurvivors } from "../src/survivors.ts";
import { bystander, eventually, type Place, place, saying } from "./fixture/place.ts";

let here: Place;

beforeEach(async () => {
  here = await place();
  return async () => expect(await here.clear()).toEqual([]);
});

/** A child in a session of its own that never ends; its parent goes on when it is there. */
function escaped(file: string): string {
  return `setsid sh -c 'echo $$ >"$0"; exec sleep 1000' ${file} & while ! test -s ${file}; do :; done`;
}

describe("a run that is to end", () => {
  it("and hangs is asked politely, and ends by that", async () => {
    const run = await here.start({ script: "echo ready; exec sleep 1000" });
    await saying(run, "ready");
    expect(await run.end("cancelled", 20)).toEqual({
      exitCode: null,
      signal: "SIGTERM",
      lost: false,
      reason: "cancelled",
    });
  });

  it("may use its grace to finish, and is told as it finished", async () => {
    const run = await here.start({
      script: "trap 'echo saved; exit 5' TERM; echo ready; while :; do sleep 0.02; done",
    });
    await saying(run, "ready");
    expect(await run.end("service_stop", 20)).toEqual({
      exitCode: 5,
      signal: null,
      lost: false,
      reason: "service_stop",
    });
    expect(await saying(run, "saved")).toBe("ready\nsaved\n");
  });

  it("and ignores that is killed after its grace, not before", async () => {
    const run = await here.start({ script: "trap '' TERM; echo ready; while :; do sleep 0.02; done" });
    await saying(run, "ready");
    const since = performance.now();
    expect(await run.end("cancelled", 0.5)).toEqual({
      exitCode: null,
      signal: "SIGKILL",
      lost: false,
      reason: "cancelled",
    });
    expect(performance.now() - since).toBeGreaterThanOrEqual(490);
  });

  it("more than once has one ending, the first reason and the shortest grace", async () => {
    const run = await here.start({ script: "trap '' TERM; echo ready; while :; do sleep 0.02; done" });
    await saying(run, "ready");
    const endings = await Promise.all([run.end("cancelled", 600), run.end("service_stop", 0)]);
    expect(endings.map((ending) => ending.reason)).toEqual(["cancelled", "cancelled"]);
    expect(endings[0]).toBe(endings[1]);
  });

  it("after it has ended stays as it was, and nothing is signalled", async () => {
    const run = await here.start({ script: "exit 3" });
    const ending = await run.ended;
    expect(await run.end("cancelled", 0)).toBe(ending);
    expect(ending).toEqual({ exitCode: 3, signal: null, lost: false, reason: null });
  });

  it("takes with it a child that left the process group", async () => {
    const file = join(here.folder, "pid");
    const run = await here.start({ script: `${escaped(file)}; echo ready; sleep 1000` });
    await saying(run, "ready");
    expect((await carriersOf(run.runId)).length).toBeGreaterThanOrEqual(3);
    await run.end("cancelled", 20);
    expect(await carriersOf(run.runId)).toEqual([]);
  });

  it("takes with it a child that multiplies outside of the group", async () => {
    const breed =
      'n=$1; echo born; while test $n -gt 0; do n=$((n-1)); setsid sh "$0" $n & sleep 0.01; done; sleep 1000';
    const run = await here.start({ script: `echo '${breed}' >breed; sh breed 5` });
    await saying(run, "born\nborn\nborn");
    await run.end("cancelled", 0);
    expect(await carriersOf(run.runId)).toEqual([]);
  });
});

describe("a run that ends by itself", () => {
  it("takes its background children with it, and its output is complete then", async () => {
    const run = await here.start({ script: "(while :; do echo x; done) & sleep 0.05; exit 0" });
    expect((await run.ended).exitCode).toBe(0);
    expect(await carriersOf(run.runId)).toEqual([]);
  });

  it("takes with it a child without the run's id that stayed in the group", async () => {
    const run = await here.start({ script: "env -i sleep 1000 & echo $!; exit 0" });
    await run.ended;
    const pid = Number(await saying(run, "\n"));
    await eventually("the child's end", async () => (identify(pid) === null ? true : null));
  });

  it("takes with it a child that left the group", async () => {
    const run = await here.start({ script: `${escaped(join(here.folder, "pid"))}; exit 6` });
    expect((await run.ended).exitCode).toBe(6);
    expect(await carriersOf(run.runId)).toEqual([]);
  });

  it("leaves other runs and other processes alone", async () => {
    const stranger = await bystander();
    const other = await here.start({ script: "echo ready; exec sleep 1000" });
    await saying(other, "ready");
    await (await here.start()).ended;
    await endSurvivors(other.runId.slice(0, -1));
    expect(identify(stranger.pid)).not.toBeNull();
    expect(await carriersOf(other.runId)).toContain(other.process?.pid);
    await other.end("cancelled", 20);
    await stranger.end();
  });
});

describe("a status", () => {
  it.each([
    ["0", { exitCode: 0, signal: null, lost: false }],
    ["128", { exitCode: 128, signal: null, lost: false }],
    ["143", { exitCode: null, signal: "SIGTERM", lost: false }],
    ["200", { exitCode: 200, signal: null, lost: false }],
    ["", { exitCode: null, signal: "SIGKILL", lost: true }],
    [null, { exitCode: null, signal: "SIGKILL", lost: true }],
  ])("of %j is read as it is meant", (status, ending) => {
    expect(endingOf(status, null)).toEqual({ ...ending, reason: null });
  });
});
