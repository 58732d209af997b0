import { mostCostDays } from "@roster/contract";
import { Refusal } from "../../platform/refusal.ts";
import type { Period } from "./store.ts";

const dayMs = 86_400_000;
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** The days that are asked about: by default this UTC month until today. Refuses what is too long or runs backwards. Pure. */
export function periodOf(
  { from: begin, to: end }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): Period {
  const today = dayOf(now);
  const to = end ?? (begin !== undefined && begin > today ? begin : today);
  const from = begin ?? `${to.slice(0, 7)}-01`;
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days >= 1 && days <= mostCostDays) return { from, to };
  const message = days < 1 ? "must not be after to" : `must be at most ${mostCostDays} days before the end of to`;
  throw new Refusal("invalid_request", `"from" ${message}.`, { details: [{ path: "from", message }] });
}
