import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Account,
  budgetOf,
  extended,
  type Funds,
  type Hold,
  holdOf,
  judge,
  lacksOf,
  largerLimitCents,
  roomOf,
} from "./budget.ts";

const cents = (amount: number): number => amount * 10_000;
const funds = (limit: number, spent = 0, held = 0): Funds => ({
  limitMicros: cents(limit),
  spentMicros: cents(spent),
  heldMicros: cents(held),
});
const unlimited = funds(0);
const account = (more: Partial<Account>): Account => ({
  agent: unlimited,
  company: unlimited,
  maxRunMicros: null,
  pricedRuns: 0,
  dearestMicros: 0,
  ...more,
});

describe("P8: what a run holds", () => {
  test.each<[string, Partial<Account>, number]>([
    ["nothing, where nobody has a limit", { maxRunMicros: cents(70) }, 0],
    ["what one run may cost, where that is said", { agent: funds(100), maxRunMicros: cents(70), pricedRuns: 9 }, 70],
    ["at first 5 dollars", { agent: funds(9000) }, 500],
    ["at first no more than is not spent of the tightest limit", { agent: funds(100), company: funds(900, 880) }, 20],
    ["what others hold does not make it less", { agent: funds(100, 10, 80) }, 90],
    ["two runs with a price say nothing yet", { agent: funds(100), pricedRuns: 2, dearestMicros: cents(90) }, 100],
    ["as much as the dearest of the last", { agent: funds(100), pricedRuns: 3, dearestMicros: cents(60) }, 60],
    ["but 25 cents at least", { agent: funds(100), pricedRuns: 20, dearestMicros: cents(1) }, 25],
    ["nothing is left", { agent: funds(100, 120) }, 0],
  ])("%s", (_, more, expected) => {
    expect(holdOf(account(more))).toBe(cents(expected));
  });

  test.each<[string, Partial<Account>, string[]]>([
    ["nobody without a limit", {}, []],
    ["who has spent all", { agent: funds(100, 100) }, ["agent spent"]],
    ["both, if both have", { agent: funds(100, 100), company: funds(50, 60) }, ["agent spent", "company spent"]],
    [
      "who has less left than the run may cost",
      { company: funds(100, 60), maxRunMicros: cents(41) },
      ["company spent"],
    ],
    ["nobody, if it is just enough", { company: funds(100, 60), maxRunMicros: cents(40) }, []],
    ["who has promised it to others", { agent: funds(100, 10, 1) }, ["agent held"]],
    [
      "only the one without room",
      { agent: funds(500), company: funds(100, 0, 80), maxRunMicros: cents(30) },
      ["company held"],
    ],
  ])("there is no room for it with: %s", (_, more, expected) => {
    expect(lacksOf(account(more)).map(({ holder, by }) => `${holder} ${by}`)).toEqual(expected);
  });

  test("without accounts there is room", () => {
    expect(lacksOf(null)).toEqual([]);
  });

  const anyFunds = fc.record({
    limitMicros: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: cents(2000) })),
    spentMicros: fc.nat(cents(2000)),
    heldMicros: fc.nat(cents(2000)),
  });
  const anyAccount: fc.Arbitrary<Account> = fc.record({
    agent: anyFunds,
    company: anyFunds,
    maxRunMicros: fc.option(fc.integer({ min: 1, max: cents(1000) })),
    pricedRuns: fc.nat(20),
    dearestMicros: fc.nat(cents(1000)),
  });

  test("admitted, it leaves nobody above a limit; a limit said to be enough is", () => {
    fc.assert(
      fc.property(anyAccount, (any) => {
        const lacks = lacksOf(any);
        const hold = holdOf(any);
        for (const holder of ["agent", "company"] as const) {
          const { limitMicros, spentMicros, heldMicros } = any[holder];
          if (limitMicros > 0 && lacks.length === 0) {
            expect(hold).toBeGreaterThan(0);
            expect(spentMicros + heldMicros + hold).toBeLessThanOrEqual(limitMicros);
          }
        }
        const enough = lacks.map(({ holder, enoughCents }) => [
          holder,
          { ...any[holder], limitMicros: cents(enoughCents) },
        ]);
        const raised: Account = { ...any, ...Object.fromEntries(enough) };
        if (any.maxRunMicros !== null || any.pricedRuns >= 3) expect(lacksOf(raised)).toEqual([]);
        else expect(lacksOf(raised).filter(({ by }) => by === "spent")).toEqual([]);
      }),
    );
  });

  test("extended, it leaves nobody above a limit that was not, and the run below what it may cost", () => {
    const anyHold: fc.Arbitrary<Hold> = fc.record({
      heldMicros: fc.nat(cents(500)),
      drawnMicros: fc.nat(cents(1000)),
      capMicros: fc.option(fc.nat(cents(1000))),
    });
    fc.assert(
      fc.property(anyAccount, anyHold, (any, hold) => {
        const more = extended(hold, any);
        if (more === null) return;
        const left = more.heldMicros - more.drawnMicros;
        expect(left).toBeGreaterThan(0);
        expect(more.drawnMicros).toBe(hold.drawnMicros);
        expect(left).toBeLessThanOrEqual(roomOf(any.agent));
        expect(left).toBeLessThanOrEqual(roomOf(any.company));
        if (hold.capMicros !== null) expect(more.heldMicros).toBeLessThanOrEqual(hold.capMicros);
      }),
    );
  });
});

describe("P8: what follows from what is spent", () => {
  const nothing = { warns: false, pauses: false, asks: false, clears: true };
  const known = { isWarned: false, isAsked: false, isShort: false };
  const over = { ...nothing, clears: false };

  test.each<[string, Parameters<typeof judge>[0], ReturnType<typeof judge>]>([
    ["nothing below four fifths", { ...funds(100, 79), ...known }, nothing],
    ["a warning from there on", { ...funds(100, 80), ...known }, { ...nothing, warns: true }],
    ["one only", { ...funds(100, 99), ...known, isWarned: true }, nothing],
    [
      "all spent: pause and question",
      { ...funds(100, 100), ...known },
      { warns: true, pauses: true, asks: true, clears: false },
    ],
    ["once", { ...funds(100, 130), ...known, isWarned: true, isAsked: true }, over],
    [
      "too little for what waits: only the question",
      { ...funds(100, 70), ...known, isShort: true },
      { ...over, asks: true },
    ],
    ["nothing without a limit", { ...funds(0, 130), ...known, isShort: true }, nothing],
  ])("%s", (_, standing, expected) => {
    expect(judge(standing)).toEqual(expected);
  });

  test("the board is asked for as much again, and never for more than a budget can be", () => {
    expect(largerLimitCents(funds(100, 100))).toBe(200);
    expect(largerLimitCents(funds(100, 109))).toBe(209);
    expect(largerLimitCents(funds(100, 70), cents(400))).toBe(500);
    expect(largerLimitCents(funds(900_000_000_000, 900_000_000_000))).toBe(900_000_000_000);
  });

  test("what is left is never below nothing", () => {
    expect(budgetOf(100, cents(90), cents(20))).toMatchObject({ reservedCents: 20, remainingCents: 0 });
    expect(budgetOf(0, cents(90), 0).remainingCents).toBeNull();
  });
});
