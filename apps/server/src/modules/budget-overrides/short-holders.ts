import { lacksOf } from "../budgets/index.ts";
import type { Waiting } from "../runs/index.ts";
import type { HolderKey } from "./store.ts";

/** A holder that has not spent all it may, but has less left than a run needs that waits for it. */
export interface Short extends HolderKey {
  /** A limit, in cents, with which it would have enough. */
  readonly enoughCents: number;
}

/** Who is short, of those whose runs wait: nothing would come of waiting on. Pure. */
export function shortHolders(waiting: readonly Waiting[]): Short[] {
  const found = new Map<string, Short>();
  for (const { companyId, agentId, account } of waiting) {
    for (const { holder, by, enoughCents } of lacksOf(account)) {
      if (by === "held") continue;
      const short = { companyId, agentId: holder === "agent" ? agentId : null };
      const key = `${companyId} ${short.agentId}`;
      found.set(key, { ...short, enoughCents: Math.max(enoughCents, found.get(key)?.enoughCents ?? 0) });
    }
  }
  return [...found.values()];
}
