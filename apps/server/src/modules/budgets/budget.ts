/** Where a holder stands in one month. Cents are micro-dollars rounded half up. */
export interface Budget {
  readonly monthlyCents: number;
  readonly spentCents: number;
  readonly reservedCents: number;
  /** null without a limit; never below 0. */
  readonly remainingCents: number | null;
}

/** Micro-dollars as the cents people see. Pure. */
export const centsOf = (micros: number): number => Math.floor((micros + 5_000) / 10_000);

/** The standing of a holder with this limit (0 is no limit). Pure. */
export function budgetOf(monthlyCents: number, spentMicros: number, heldMicros: number): Budget {
  const left = Math.max(0, monthlyCents * 10_000 - spentMicros - heldMicros);
  return {
    monthlyCents,
    spentCents: centsOf(spentMicros),
    reservedCents: centsOf(heldMicros),
    remainingCents: monthlyCents === 0 ? null : Math.floor(left / 10_000),
  };
}
