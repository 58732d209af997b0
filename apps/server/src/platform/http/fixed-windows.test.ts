import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FixedWindows } from "./fixed-windows.ts";

describe("fixed windows", () => {
  test("so many may come in a window; the next begins with the first after its end", () => {
    const windows = new FixedWindows({ quota: 2, windowSec: 60, mostKeys: 10 });
    expect(windows.count("a", 0)).toEqual({ left: 1, restSec: 60 });
    expect(windows.count("a", 1)).toEqual({ left: 0, restSec: 60 });
    expect(windows.count("a", 59_001)).toEqual({ left: -1, restSec: 1 });
    expect(windows.count("a", 59_999)).toEqual({ left: -2, restSec: 1 });
    expect(windows.count("a", 60_000)).toEqual({ left: 1, restSec: 60 });
    expect(windows.count("a", 90_000)).toEqual({ left: 0, restSec: 30 });
  });

  test("one key takes nothing from another", () => {
    const windows = new FixedWindows({ quota: 1, windowSec: 60, mostKeys: 10 });
    for (let n = 0; n < 100; n += 1) windows.count("loops", n);
    expect(windows.count("calm", 100)).toEqual({ left: 0, restSec: 60 });
  });

  test("windows that are over are forgotten, and of too many the one that ends first", () => {
    const windows = new FixedWindows({ quota: 5, windowSec: 60, mostKeys: 3 });
    for (const [key, at] of [
      ["a", 0],
      ["b", 10],
      ["c", 20],
    ] as const)
      windows.count(key, at);
    windows.count("a", 30);
    expect(windows.count("d", 40).left).toBe(4);
    expect(windows.size).toBe(3);
    expect(windows.count("b", 50).left).toBe(3);
    expect(windows.count("a", 60).left).toBe(4);
    windows.count("e", 1_000_000);
    expect(windows.size).toBe(1);
  });

  test("whatever comes and when: no more than the quota in a window, and no more keys than may be", () => {
    const steps = fc.array(fc.record({ key: fc.integer({ min: 0, max: 9 }), afterMs: fc.nat(30_000) }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(steps, (asked) => {
        const windows = new FixedWindows({ quota: 3, windowSec: 60, mostKeys: 20 });
        const letIn = new Map<string, number[]>();
        let now = 0;
        for (const { key, afterMs } of asked) {
          now += afterMs;
          const name = String(key);
          const { left, restSec } = windows.count(name, now);
          expect(restSec).toBeGreaterThanOrEqual(1);
          expect(restSec).toBeLessThanOrEqual(60);
          expect(windows.size).toBeLessThanOrEqual(20);
          if (left >= 0) letIn.set(name, [...(letIn.get(name) ?? []), now]);
        }
        // Two windows that touch: never more than twice the quota in any stretch as long as one.
        for (const times of letIn.values()) {
          for (const begin of times) {
            const within = times.filter((time) => time >= begin && time < begin + 60_000);
            expect(within.length).toBeLessThanOrEqual(6);
          }
        }
      }),
    );
  });
});
