import type { Change } from "../../platform/change.ts";
import { queueSignal } from "../../platform/signals.ts";

/** Tells those who could take a run when a monthly limit was raised or lifted: what waited for it may start. */
export function announceRaise(change: Change, before: number, after: number): void {
  if (isRaise(before, after)) change.announce(queueSignal);
}

/** True where more may be spent than before; 0 is no limit. Pure. */
const isRaise = (before: number, after: number): boolean => before !== 0 && (after === 0 || after > before);
