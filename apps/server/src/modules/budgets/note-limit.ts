import type { Change } from "../../platform/change.ts";
import { budgetSignal, queueSignal } from "../../platform/signals.ts";
import { forgetAsked } from "./store.ts";

/**
 * Notes that the monthly limit of a holder was changed: it is judged by the new one, and where it was raised or lifted,
 * those who could take a run are told, because what waited for it may start.
 */
export async function noteLimit(
  change: Change,
  holderId: string,
  { before, after }: { before: number; after: number },
): Promise<void> {
  if (before === after) return;
  change.announce(budgetSignal);
  if (!isRaise(before, after)) return;
  change.announce(queueSignal);
  await forgetAsked(change, holderId);
}

/** True where more may be spent than before; 0 is no limit. Pure. */
const isRaise = (before: number, after: number): boolean => before !== 0 && (after === 0 || after > before);
