import type { ReactNode } from "react";
import { TextField } from "../../design/field.tsx";
import { wrongAt } from "../../design/refusal.tsx";
import { centsOf } from "./dollars.ts";

interface BudgetParts {
  readonly value: string;
  readonly error: unknown;
  readonly onType: (typed: string) => void;
}

/** A budget, as a person types it. */
export function BudgetField({ value, error, onType }: BudgetParts): ReactNode {
  return (
    <TextField
      label="Budget a month, in dollars"
      hint="0 is no limit"
      inputMode="decimal"
      value={value}
      wrong={centsOf(value) === null ? "An amount such as 25 or 12.50" : wrongAt(error, "budgetMonthlyCents")}
      onChange={({ target }) => onType(target.value)}
    />
  );
}
