import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { birthsSoFar, bornAfter, isBetween } from "../src/births.ts";

describe("numbers in a circle", () => {
  it.each([
    [5, 6, 9, true],
    [5, 9, 9, true],
    [5, 5, 9, false],
    [5, 10, 9, false],
    [90, 95, 3, true],
    [90, 2, 3, true],
    [90, 3, 3, true],
    [90, 4, 3, false],
    [90, 90, 3, false],
  ])("after %i, %i, up to %i: %s", (first, number, last, expected) => {
    expect(isBetween(first, number, last)).toBe(expected);
  });
});

describe.runIf(process.platform === "linux")("processes", () => {
  it("born later are told from those that were there", async () => {
    const count = birthsSoFar() ?? 0;
    const first = spawn("sleep", ["1000"]);
    const second = spawn("sleep", ["1000"]);
    const [pid = 0, later = 0] = [first.pid, second.pid];
    expect(bornAfter({ pid, count }, [process.pid, pid, later])).toEqual([later]);
    const gone = [first, second].map((child) => once(child, "exit"));
    for (const child of [first, second]) child.kill("SIGKILL");
    await Promise.all(gone);
  });

  it("are all looked at where too many were born since, or nothing is known", () => {
    expect(bornAfter({ pid: 2 ** 22, count: -(2 ** 30) }, [1, 2])).toEqual([1, 2]);
    expect(bornAfter(null, [1, 2])).toEqual([1, 2]);
  });
});
