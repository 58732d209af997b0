import { sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { agents } from "../agents/index.ts";
import { type Funds, presentMonth, spend } from "../budgets/index.ts";
import { companies } from "../companies/index.ts";

/** What a holder may spend and has spent. */
export type Spent = Omit<Funds, "heldMicros">;

/** What agent and company have spent after a booking, and when it counts. */
export interface Standing {
  readonly agent: Spent;
  readonly company: Spent;
  /** By the database's clock, to the millisecond: in the month whose sums it was added to. */
  readonly at: Date;
}

const limitCents = sql<number>`case when ${spend.holderId} = ${spend.companyId}
  then (select c.budget_monthly_cents from ${companies} c where c.id = ${spend.companyId})
  else (select a.budget_monthly_cents from ${agents} a
    where a.company_id = ${spend.companyId} and a.id = ${spend.holderId}) end`.mapWith(Number);

/**
 * Adds to what an agent and its company have spent in the present UTC month, and holds both rows until the change ends:
 * the agent's first, as everywhere.
 */
export async function addSpend(change: Change, agentId: string, micros: number): Promise<Standing> {
  const { companyId } = change;
  const rows = [agentId, companyId].map((holderId) => ({
    companyId,
    holderId,
    month: presentMonth,
    spentMicros: micros,
  }));
  const added = await change.write
    .insert(spend)
    .values(rows)
    .onConflictDoUpdate({
      target: [spend.companyId, spend.holderId, spend.month],
      set: { spentMicros: sql`${spend.spentMicros} + excluded.spent_micros` },
    })
    .returning({
      holderId: spend.holderId,
      spentMicros: spend.spentMicros,
      limitCents,
      atMs: sql<number>`floor(extract(epoch from now()) * 1000)`.mapWith(Number),
    });
  const of = (holderId: string) => {
    const row = added.find((one) => one.holderId === holderId);
    if (row === undefined) throw new Error("a sum was not added to");
    return row;
  };
  const spentOf = (holderId: string): Spent => {
    const row = of(holderId);
    return { spentMicros: row.spentMicros, limitMicros: row.limitCents * 10_000 };
  };
  return { agent: spentOf(agentId), company: spentOf(companyId), at: new Date(of(agentId).atMs) };
}
