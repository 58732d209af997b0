import type { Change } from "../../platform/change.ts";
import { type Hold, holdOf, lacksOf, lockSpend } from "../budgets/index.ts";
import { findAccount } from "./budget-store.ts";

/** What a run begins with. */
export type FirstHold = Omit<Hold, "drawnMicros">;

/** Which of the two holders have a limit, and what a run of the agent may cost at most. */
export interface Limits extends Pick<Hold, "capMicros"> {
  readonly isAgentLimited: boolean;
  readonly isCompanyLimited: boolean;
}

/**
 * What a run of a locked agent holds from its start; null where there is no room for it. Who has a limit is held until
 * the change ends: of all that would start meanwhile, each sees what the ones before it hold.
 */
export async function reserve(
  change: Change,
  agentId: string,
  { isAgentLimited, isCompanyLimited, capMicros }: Limits,
): Promise<FirstHold | null> {
  const limited = [...(isAgentLimited ? [agentId] : []), ...(isCompanyLimited ? [change.companyId] : [])];
  if (limited.length === 0) return { heldMicros: 0, capMicros };
  await lockSpend(change, ...limited);
  const account = await findAccount(change, agentId, null);
  if (lacksOf(account).length > 0) return null;
  return { heldMicros: account === null ? 0 : holdOf(account), capMicros };
}
