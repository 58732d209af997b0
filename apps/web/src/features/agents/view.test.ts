import { expect, test } from "vitest";
import { dragged, fitted, pinched, readable, revealing, zoomed } from "./view.ts";

const window = { width: 800, height: 600 };

test("what is under the pointer stays there while it grows or shrinks", () => {
  const view = { x: 10, y: 20, scale: 0.5 };
  const at = { x: 300, y: 200 };
  for (const factor of [1.2, 0.5, 100, 0.0001]) {
    const next = zoomed(view, at, factor);
    expect((at.x - next.x) / next.scale).toBeCloseTo((at.x - view.x) / view.scale);
    expect((at.y - next.y) / next.scale).toBeCloseTo((at.y - view.y) / view.scale);
    expect(next.scale).toBeGreaterThanOrEqual(0.08);
    expect(next.scale).toBeLessThanOrEqual(2);
  }
});

test("all of a picture fits, and a small one is not blown up", () => {
  const { x, scale } = fitted({ width: 4000, height: 1000 }, window);
  expect(x).toBeGreaterThan(0);
  expect(x + 4000 * scale).toBeLessThan(window.width);
  expect(fitted({ width: 100, height: 100 }, window)).toEqual({ x: 350, y: 24, scale: 1 });
});

test("a picture that would be too small to read begins at the place that matters", () => {
  const view = readable({ width: 9000, height: 1000 }, window, { x: 4500, y: 0 });
  expect(view.scale).toBe(0.6);
  expect(view.x + 4500 * view.scale).toBe(window.width / 2);
  expect(readable({ width: 900, height: 300 }, window, { x: 0, y: 0 }).scale).toBeGreaterThan(0.6);
});

test("a part that is not seen is brought into the middle, one that is seen stays where it is", () => {
  const view = { x: 0, y: 0, scale: 1 };
  const part = { x: 2000, y: 100, width: 200, height: 100 };
  const moved = revealing(view, part, window);
  expect(moved.x + part.x + part.width / 2).toBe(window.width / 2);
  expect(revealing(moved, part, window)).toBe(moved);
});

test("a picture follows the pointer that drags it, and grows as two fingers part", () => {
  const view = { x: 0, y: 0, scale: 1 };
  expect(dragged(view, { x: 5, y: 5 }, { x: 15, y: 0 })).toEqual({ x: 10, y: -5, scale: 1 });
  const fingers = { before: { x: 100, y: 0 }, now: { x: 150, y: 0 }, other: { x: 0, y: 0 } };
  expect(pinched(view, fingers).scale).toBe(1.5);
  const meeting = { before: { x: 0, y: 0 }, now: { x: 0, y: 0 }, other: { x: 0, y: 0 } };
  expect(pinched(view, meeting)).toEqual(view);
});
