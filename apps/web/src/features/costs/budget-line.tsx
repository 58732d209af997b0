import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Spending } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { BudgetField } from "../agents/budget-field.tsx";
import { centsOf, dollarsOf } from "../agents/dollars.ts";

interface LineParts {
  /** Whose budget it is. */
  readonly of: string;
  readonly name: ReactNode;
  readonly spent: number;
  readonly budget: number;
  readonly busy: boolean;
  readonly error: unknown;
  /** Null where it may not be changed. The promise is kept when it is changed. */
  readonly onChange: ((cents: number) => Promise<unknown>) | null;
}

/** A budget, what was spent of it, and another one in its place. */
export function BudgetLine({ of, name, spent, budget, busy, error, onChange }: LineParts): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const cents = typed === null ? null : centsOf(typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (cents === null || onChange === null) return;
    // What goes wrong is shown below, and what was typed stays.
    onChange(cents).then(
      () => setTyped(null),
      () => undefined,
    );
  };
  return (
    <li className="flex flex-col gap-3 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 basis-32 truncate font-medium">{name}</span>
        <span className="w-full max-sm:order-last sm:w-44 [&>span]:w-full">
          <Spending spent={spent} budget={budget} />
        </span>
        {onChange !== null && (
          <Button
            aria-label={`${typed === null ? "Change" : "Leave it:"} the budget of ${of}`}
            aria-expanded={typed !== null}
            onClick={() => setTyped(typed === null ? dollarsOf(budget) : null)}
          >
            {typed === null ? "Change" : "Leave it"}
          </Button>
        )}
      </div>
      {typed !== null && (
        <form onSubmit={submit} className="flex flex-wrap items-start gap-3">
          <div className="w-64 max-w-full">
            <BudgetField value={typed} error={error} onType={setTyped} />
          </div>
          <Button type="submit" look="primary" busy={busy} className="mt-6">
            Save
          </Button>
        </form>
      )}
      <Refusal error={error} saidAt={["budgetMonthlyCents"]} />
    </li>
  );
}
