import type { Whynot } from "@roster/contract";
import { centsOf, type Lack } from "../budgets/index.ts";
import type { getStanding } from "./store.ts";

type Reason = Whynot["reasons"][number];

/** Questions to the board about the two budgets that are open, by their ids; null where there is none. */
export interface OpenOverrides {
  readonly agent: string | null;
  readonly company: string | null;
}

/** Where the two holders are found. */
export type Paths = Readonly<Record<Lack["holder"], string>>;

type Facts = Pick<Awaited<ReturnType<typeof getStanding>>, "account" | "lacks"> & { readonly overrides: OpenOverrides };

/** Whose budget has no room for a run, why, and which call gives it some: the company's first. Pure. */
export function overBudgetReasons({ account, lacks, overrides }: Facts, paths: Paths): Reason[] {
  if (account === null) return [];
  return [...lacks].reverse().map(({ holder, by, enoughCents }): Reason => {
    const { limitMicros, spentMicros, heldMicros } = account[holder];
    const whose = holder === "company" ? "Its company" : "It";
    const budget = `${dollars(spentMicros)} of ${dollars(limitMicros)} this month`;
    const open = overrides[holder];
    const raise = { method: "PATCH", path: paths[holder], body: { budgetMonthlyCents: enoughCents } };
    if (by === "held") {
      const message = `${whose} has spent ${budget}, and runs under way hold ${dollars(heldMicros)} of the rest: it starts when they leave enough of it.`;
      return { code: "over_budget", message, nextActor: "service", fix: raise };
    }
    const isAll = spentMicros >= limitMicros;
    const message = `${whose} has spent ${budget}${isAll ? "" : ", and the rest is less than a run of it may cost"}.`;
    const approve = open === null ? raise : { method: "POST", path: `/api/approvals/${open}/approve`, body: {} };
    return { code: "over_budget", message, nextActor: "board", fix: approve };
  });
}

const dollars = (micros: number): string => `$${(centsOf(micros) / 100).toFixed(2)}`;
