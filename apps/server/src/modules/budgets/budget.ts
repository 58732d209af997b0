/** Where a holder stands in one month. Cents are micro-dollars rounded half up. */
export interface Budget {
  readonly monthlyCents: number;
  readonly spentCents: number;
  readonly reservedCents: number;
  /** null without a limit; never below 0. */
  readonly remainingCents: number | null;
}

const microsPerCent = 10_000;

/** Micro-dollars as the cents people see. Pure. */
export const centsOf = (micros: number): number => Math.floor((micros + microsPerCent / 2) / microsPerCent);

/** The standing of a holder with this limit (0 is no limit). Pure. */
export function budgetOf(monthlyCents: number, spentMicros: number, heldMicros: number): Budget {
  const left = Math.max(0, monthlyCents * microsPerCent - spentMicros - heldMicros);
  return {
    monthlyCents,
    spentCents: centsOf(spentMicros),
    reservedCents: centsOf(heldMicros),
    remainingCents: monthlyCents === 0 ? null : Math.floor(left / microsPerCent),
  };
}

/** What a holder may spend in a month (0 is no limit), has spent, and holds for its runs under way, in micro-dollars. */
export interface Funds {
  readonly limitMicros: number;
  readonly spentMicros: number;
  readonly heldMicros: number;
}

/** What the runs of an agent usually cost, in micro-dollars. */
export interface Habit {
  /** What one of its runs may cost at most; null where nothing is said. */
  readonly maxRunMicros: number | null;
  /** How many of its last runs had a price, and the dearest of them. */
  readonly pricedRuns: number;
  readonly dearestMicros: number;
}

/** The two holders whose room a run needs, and the habit of its agent. */
export interface Account extends Habit {
  readonly agent: Funds;
  readonly company: Funds;
}

/** So many of the last runs with a price say what the next may cost. */
export const runsLookedAt = 20;
/** Fewer than this say nothing. */
const fewestRuns = 3;
const leastHoldMicros = 25 * microsPerCent;
const firstHoldMicros = 500 * microsPerCent;

const unspentOf = ({ limitMicros, spentMicros }: Funds): number =>
  limitMicros === 0 ? Number.POSITIVE_INFINITY : Math.max(0, limitMicros - spentMicros);

/** What a holder can still promise to runs; without end where it has no limit. Pure. */
export const roomOf = (funds: Funds): number => Math.max(0, unspentOf(funds) - funds.heldMicros);

/**
 * What a run of the agent holds while it is under way: what it may cost at most, else what its last runs say, else a
 * sum that leaves small budgets to one run at a time. 0 where neither holder has a limit, or one has nothing left. Pure.
 */
export function holdOf({ agent, company, maxRunMicros, pricedRuns, dearestMicros }: Account): number {
  const unspent = Math.min(unspentOf(agent), unspentOf(company));
  if (unspent === Number.POSITIVE_INFINITY) return 0;
  if (maxRunMicros !== null) return maxRunMicros;
  return pricedRuns < fewestRuns ? Math.min(firstHoldMicros, unspent) : Math.max(leastHoldMicros, dearestMicros);
}

/** A holder that has no room for a run: it has spent too much, or others hold what it would need until they end. */
export interface Lack {
  readonly holder: "agent" | "company";
  readonly by: "spent" | "held";
  /** A limit, in cents, with which it would have room. */
  readonly enoughCents: number;
}

/** Which of the two holders have no room for another run of the agent; none, where neither has a limit. Pure. */
export function lacksOf(account: Account | null): Lack[] {
  if (account === null) return [];
  const hold = holdOf(account);
  return (["agent", "company"] as const).flatMap((holder): Lack[] => {
    const funds = account[holder];
    const unspent = unspentOf(funds);
    const enoughCents = largerLimitCents(funds, hold);
    if (unspent === 0 || hold > unspent) return [{ holder, by: "spent", enoughCents }];
    return hold > roomOf(funds) ? [{ holder, by: "held", enoughCents }] : [];
  });
}

/** The contract allows no larger budget. */
const largestLimitCents = 900_000_000_000;

/** A limit that leaves as much again as the present one allowed, and room for one run: what the board is asked for. Pure. */
export function largerLimitCents({ limitMicros, spentMicros, heldMicros }: Funds, hold = 0): number {
  const micros = Math.max(spentMicros, limitMicros) + heldMicros + Math.max(limitMicros, hold);
  return Math.min(largestLimitCents, Math.ceil(micros / microsPerCent));
}

/** What a run was granted, what was booked for it, and what it may cost at most (null: nothing is said). */
export interface Hold {
  readonly heldMicros: number;
  readonly drawnMicros: number;
  readonly capMicros: number | null;
}

/**
 * The hold of a run that has used up its own, extended by another as far as there is room for it and the run may cost
 * so much; null where there is none. `account` is without what this run holds. Pure.
 */
export function extended(hold: Hold, account: Account): Hold | null {
  const { drawnMicros, capMicros } = hold;
  const allowed = capMicros === null ? Number.POSITIVE_INFINITY : capMicros - drawnMicros;
  const more = Math.min(holdOf(account), allowed, roomOf(account.agent), roomOf(account.company));
  return more > 0 ? { ...hold, heldMicros: drawnMicros + more } : null;
}

const warnedFrom = 0.8;

/** True where a holder has spent so much of its limit that it is to be looked at. Pure. */
export const isNear = ({ limitMicros, spentMicros }: Pick<Funds, "limitMicros" | "spentMicros">): boolean =>
  limitMicros > 0 && spentMicros >= limitMicros * warnedFrom;

/** What is known of a holder when it is judged. */
export interface Case extends Pick<Funds, "limitMicros" | "spentMicros"> {
  /** It was told this month that most is spent. */
  readonly isWarned: boolean;
  /** The board was asked for more than this limit. */
  readonly isAsked: boolean;
  /** A run waits for more than is left, though it is not all spent. */
  readonly isShort: boolean;
}

/** What follows for a holder. */
export interface Judgement {
  readonly warns: boolean;
  readonly pauses: boolean;
  readonly asks: boolean;
  /** It may go on: what keeps it from that because of its budget is lifted. */
  readonly clears: boolean;
}

/** What follows from what a holder has spent. Each follows once: judged again, it is the same or nothing. Pure. */
export function judge({ limitMicros, spentMicros, isWarned, isAsked, isShort }: Case): Judgement {
  const isSpent = limitMicros > 0 && spentMicros >= limitMicros;
  const isOver = isSpent || (limitMicros > 0 && isShort);
  return {
    warns: isNear({ limitMicros, spentMicros }) && !isWarned,
    pauses: isSpent && !isAsked,
    asks: isOver && !isAsked,
    clears: !isOver,
  };
}
