import { stat } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { enforceLimits } from "../src/enforce-limits.ts";
import { breachOf, type RunLimits, spoolLimits } from "../src/limits.ts";
import { buildDriver, endingsIn } from "./fixture/driver-process.ts";
import { type Place, place } from "./fixture/place.ts";

const limits: RunLimits = { wallSec: 3600, silenceSec: 600, ...spoolLimits };
let here: Place;

beforeEach(async () => {
  here = await place();
  return async () => expect(await here.clear()).toEqual([]);
});

describe("a limit", () => {
  const calm = { nowMs: 1_000_000, startedMs: 900_000, lastOutputMs: 990_000, spoolBytes: 0, freeBytes: 2 ** 40 };

  it.each([
    ["none is passed by an ordinary run", {}, null],
    ["the wall clock runs from the start", { startedMs: 1_000_000 - 3_600_000 }, "wall"],
    ["silence runs from the last output", { lastOutputMs: 1_000_000 - 600_000 }, "silence"],
    ["256 MiB of output are allowed", { spoolBytes: 256 * 2 ** 20 }, null],
    ["one byte more is not", { spoolBytes: 256 * 2 ** 20 + 1 }, "output_limit"],
    ["1 GiB free is enough", { freeBytes: 2 ** 30 }, null],
    ["one byte less is not", { freeBytes: 2 ** 30 - 1 }, "output_limit"],
    ["output goes before time", { startedMs: 0, freeBytes: 0 }, "output_limit"],
  ])("%s", (_name, measure, breach) => {
    expect(breachOf({ ...calm, ...measure }, limits)).toBe(breach);
  });
});

describe("a run", () => {
  it("that hangs is ended by the wall clock", async () => {
    const run = await here.start({ script: "while :; do echo x; sleep 0.05; done" });
    expect(await enforceLimits(run, { ...limits, wallSec: 0.4 }, 20)).toBe("wall");
    expect(await run.ended).toEqual({ exitCode: null, signal: "SIGTERM", lost: false, reason: "wall" });
  });

  it("that says nothing any more is ended for its silence, one that goes on is not", async () => {
    const silent = await here.start({ script: "echo once; exec sleep 1000" });
    const busy = await here.start({
      script: "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo x >&2; sleep 0.1; done",
    });
    const some = { ...limits, silenceSec: 1.5 };
    expect(await Promise.all([enforceLimits(silent, some, 20), enforceLimits(busy, some, 20)])).toEqual([
      "silence",
      null,
    ]);
    expect((await busy.ended).exitCode).toBe(0);
  });

  it("that prints without end is ended at the cap, at once even where it ignores being asked", async () => {
    const run = await here.start({ script: "trap '' TERM; while :; do head -c 1000000 /dev/zero; sleep 0.01; done" });
    expect(await enforceLimits(run, { ...limits, mostSpoolBytes: 5_000_000 }, 600)).toBe("output_limit");
    expect((await run.ended).signal).toBe("SIGKILL");
    expect((await stat(run.spool.stdout)).size).toBeGreaterThan(5_000_000);
  });

  it("that printed too much between two looks has passed the cap too", async () => {
    const run = await here.start({ script: "head -c 300000 /dev/zero" });
    await run.ended;
    expect(await enforceLimits(run, { ...limits, mostSpoolBytes: 200_000 }, 20)).toBe("output_limit");
    expect((await run.ended).exitCode).toBe(0);
  });

  it("is not ended when there is nothing against it", async () => {
    const run = await here.start({ script: "echo hello" });
    expect(await enforceLimits(run, { ...limits, leastFreeBytes: 0 }, 20)).toBeNull();
  });
});

describe("300 MB of output", () => {
  let built: Awaited<ReturnType<typeof buildDriver>>;
  beforeAll(async () => {
    built = await buildDriver();
  });
  afterAll(() => built.remove());

  it("are followed and scrubbed to the last byte in flat memory", async () => {
    const order = here.order({ command: "head", args: ["-c", "300000000", "/dev/zero"] });
    const driver = built.drive({ order, counts: true });
    await driver.closed;
    expect(driver.told).toContainEqual({ kind: "counted", bytes: 300_000_000 });
    expect(endingsIn(driver.told).map((ending) => ending.exitCode)).toEqual([0]);
    const last = driver.told.at(-1);
    expect(last?.kind === "ended" ? last.grownKib : Number.NaN).toBeLessThan(120 * 1024);
  });
});
