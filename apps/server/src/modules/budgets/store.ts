import { and, type Column, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { spend } from "./table.ts";

/**
 * The UTC month in which a transaction counts: that of its begin, by the database's clock, which is one for all servers.
 */
export const presentMonth = sql<string>`to_char(now() at time zone 'UTC', 'YYYY-MM')`;

/** Columns that a select joined with {@link spendOf} can take; 0 where nothing was spent yet. */
export const spendColumns = { spentMicros: sql<number>`coalesce(${spend.spentMicros}, 0)`.mapWith(Number) };

/** The join condition that finds a holder's row of the present month. */
export function spendOf(companyId: Column, holderId: Column): SQL | undefined {
  return and(eq(spend.companyId, companyId), eq(spend.holderId, holderId), eq(spend.month, presentMonth));
}

/**
 * What an agent's runs under way hold. Leases belong to the module of runs, which knows this one; a run that is over
 * has none, so nothing here has to be given back.
 */
export const heldBy = (companyId: Column, agentId: Column): SQL<number> =>
  sql<number>`(select coalesce(sum(greatest(l.held_micros - l.drawn_micros, 0)), 0) from leases l
    where l.company_id = ${companyId} and l.agent_id = ${agentId})`.mapWith(Number);

/** What a holder spent in a month, and what was said of it. */
export type Spend = Pick<typeof spend.$inferSelect, "month" | "spentMicros" | "warnedAt" | "askedCents">;

/**
 * The rows of holders for the present month, made where there were none and locked, in this order, until the change
 * ends. Whoever books or promises money holds them: an agent's before its company's, and both after agent, run and lease.
 */
export async function lockSpend(change: Change, ...holderIds: readonly string[]): Promise<void> {
  const { companyId } = change;
  await change.write
    .insert(spend)
    .values(holderIds.map((holderId) => ({ companyId, holderId, month: presentMonth })))
    .onConflictDoUpdate({
      target: [spend.companyId, spend.holderId, spend.month],
      set: { spentMicros: sql`${spend.spentMicros}` },
    });
}

const ofHolder = ({ companyId }: Change, holderId: string): SQL | undefined =>
  and(eq(spend.companyId, companyId), eq(spend.holderId, holderId), eq(spend.month, presentMonth));

/** What a holder spent this month, and what was said of it; locked until the change ends where there is anything. */
export async function lockSaid(change: Change, holderId: string): Promise<Spend> {
  const [row] = await change.db
    .select({
      month: spend.month,
      spentMicros: spend.spentMicros,
      warnedAt: spend.warnedAt,
      askedCents: spend.askedCents,
    })
    .from(spend)
    .where(ofHolder(change, holderId))
    .for("update");
  if (row !== undefined) return row;
  const [now] = await change.db.execute<{ month: string }>(sql`select ${presentMonth} as month`);
  return { month: now?.month ?? "", spentMicros: 0, warnedAt: null, askedCents: null };
}

/** Notes what was said of a holder this month. */
export async function noteSaid(
  change: Change,
  holderId: string,
  said: Partial<Pick<Spend, "warnedAt" | "askedCents">>,
): Promise<void> {
  await change.write
    .insert(spend)
    .values({ companyId: change.companyId, holderId, month: presentMonth, ...said })
    .onConflictDoUpdate({ target: [spend.companyId, spend.holderId, spend.month], set: said });
}

/** Lets the board be asked again: what it was asked about is over. */
export async function forgetAsked(change: Change, holderId: string): Promise<void> {
  await change.write
    .update(spend)
    .set({ askedCents: null })
    .where(and(ofHolder(change, holderId), isNotNull(spend.askedCents)));
}
