import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centsOf } from "../budgets/index.ts";
import { periodOf } from "./period.ts";
import { type Priceable, priced } from "./price.ts";
import { pricesWith } from "./prices.ts";

const million = { inputTokens: 1_000_000, cachedInputTokens: 1_000_000, outputTokens: 1_000_000 };
const used = (more: Partial<Priceable>): Priceable => ({
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  ...million,
  costMicros: null,
  ...more,
});
const prices = pricesWith();

describe("pricing", () => {
  test.each([
    ["anthropic", "claude-opus-4-5-20251101", 30.5],
    ["anthropic", "claude-opus-4-1-20250805", 91.5],
    ["bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", 18.3],
    ["openrouter", "anthropic/claude-haiku-4.5", 6.1],
    ["Anthropic", "Claude-Sonnet-4", 18.3],
    ["openai", "gpt-5-codex", 11.375],
    ["openai", "gpt-5-mini-2025-08-07", 2.275],
    ["unknown", "gpt-4o", 13.75],
  ])("the table knows %s %s: %d dollars for a million of each kind", (provider, model, usd) => {
    expect(priced(prices, used({ provider, model }))).toEqual({
      costMicros: Math.round(usd * 1_000_000),
      priced: "table",
      priceVersion: prices.version,
    });
  });

  test.each([
    ["anthropic", "claude-new-9"],
    ["somebody", "claude-sonnet-4-5"],
    ["openai", "gpt-5-pro"],
    ["unknown", "unknown"],
  ])("what has no price is counted at the rate for unknown models: %s %s", (provider, model) => {
    const seen = priced(pricesWith(2), used({ provider, model }));
    expect(seen).toMatchObject({ costMicros: 6_000_000, priced: "default" });
  });

  test("what is reported wins, also when it is nothing", () => {
    for (const costMicros of [0, 1, 12_345]) {
      expect(priced(prices, used({ costMicros }))).toEqual({ costMicros, priced: "reported", priceVersion: null });
    }
  });

  test("no token is free, and more tokens never cost less", () => {
    const tokens = fc.integer({ min: 0, max: 1_000_000_000 });
    const kinds = fc.record({ inputTokens: tokens, cachedInputTokens: tokens, outputTokens: tokens });
    const model = fc.constantFrom("claude-haiku-4-5", "gpt-5-nano", "whatever");
    fc.assert(
      fc.property(kinds, kinds, model, (one, more, name) => {
        const both = {
          inputTokens: one.inputTokens + more.inputTokens,
          cachedInputTokens: one.cachedInputTokens + more.cachedInputTokens,
          outputTokens: one.outputTokens + more.outputTokens,
        };
        const cost = (of: typeof one) => priced(prices, used({ provider: "unknown", model: name, ...of })).costMicros;
        const isNothing = Object.values(one).every((count) => count === 0);
        expect(cost(one) > 0).toBe(!isNothing);
        expect(cost(both)).toBeGreaterThanOrEqual(Math.max(cost(one), cost(more)));
        expect(Number.isSafeInteger(cost(both))).toBe(true);
      }),
    );
  });

  test("cents are micro-dollars rounded half up", () => {
    expect([0, 4_999, 5_000, 14_999, 15_000].map(centsOf)).toEqual([0, 0, 1, 1, 2]);
  });
});

describe("the days that are asked about", () => {
  const now = new Date("2026-03-15T23:59:59.999Z");
  test.each([
    [{}, "2026-03-01", "2026-03-15"],
    [{ to: "2026-01-31" }, "2026-01-01", "2026-01-31"],
    [{ from: "2026-02-10" }, "2026-02-10", "2026-03-15"],
    [{ from: "2027-01-01" }, "2027-01-01", "2027-01-01"],
    [{ from: "2025-01-01", to: "2026-02-04" }, "2025-01-01", "2026-02-04"],
  ])("%j", (asked, from, to) => {
    expect(periodOf(asked, now)).toEqual({ from, to });
  });

  test.each([
    [{ from: "2025-01-01", to: "2026-02-05" }, "at most 400 days"],
    [{ from: "2024-01-01" }, "at most 400 days"],
    [{ from: "2026-03-02", to: "2026-03-01" }, "must not be after to"],
  ])("refused: %j", (asked, message) => {
    expect(() => periodOf(asked, now)).toThrow(message);
  });
});
