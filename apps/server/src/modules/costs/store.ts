import { and, desc, eq, getTableColumns, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { agents } from "../agents/index.ts";
import { costDays, costEvents } from "./table.ts";

/** A cost event as stored. */
export type CostEventRow = typeof costEvents.$inferSelect;
/** What was booked on one day, added up for one subject. */
export type DayRow = typeof costDays.$inferSelect;

/** Adds cost events. */
export async function insertCostEvents(change: Change, rows: readonly CostEventRow[]): Promise<void> {
  await change.write.insert(costEvents).values([...rows]);
}

const { companyId, subject, day, provider, name, ...summed } = getTableColumns(costDays);

/** Adds to the sums of a day; no two of the rows may be of the same day and subject. */
export async function addToDays(change: Change, rows: readonly DayRow[]): Promise<void> {
  const set = Object.fromEntries(
    Object.entries(summed).map(([key, column]) => [key, sql`${column} + excluded.${sql.identifier(snake(key))}`]),
  );
  await change.write
    .insert(costDays)
    .values([...rows])
    .onConflictDoUpdate({ target: [companyId, subject, day, provider, name], set });
}

const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Which cost events. `before` is the id of the last one of the page before. */
export interface CostPage {
  readonly limit: number;
  readonly before: string | null;
  readonly agentId: string | undefined;
  readonly runId: string | undefined;
}

/** Cost events newest first. */
export function listCostEvents(scope: Scope, page: CostPage): Promise<CostEventRow[]> {
  return scope.db
    .select()
    .from(costEvents)
    .where(
      and(
        eq(costEvents.companyId, scope.companyId),
        page.before === null ? undefined : lt(costEvents.id, page.before),
        page.agentId === undefined ? undefined : eq(costEvents.agentId, page.agentId),
        page.runId === undefined ? undefined : eq(costEvents.runId, page.runId),
      ),
    )
    .orderBy(desc(costEvents.id))
    .limit(page.limit);
}

/** UTC days, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const inPeriod = (scope: Scope, of: DayRow["subject"], { from, to }: Period): SQL | undefined =>
  and(eq(companyId, scope.companyId), eq(subject, of), gte(day, from), lte(day, to));

/** The days of a company on which something was booked, in order. */
export function listDays(scope: Scope, period: Period): Promise<DayRow[]> {
  return scope.db
    .select()
    .from(costDays)
    .where(inPeriod(scope, "company", period))
    .orderBy(day);
}

const total = (column: (typeof summed)[keyof typeof summed], as: string) =>
  sql<number>`sum(${column})`.mapWith(Number).as(as);
const totals = {
  provider,
  name,
  inputTokens: total(summed.inputTokens, "input_tokens"),
  cachedInputTokens: total(summed.cachedInputTokens, "cached_input_tokens"),
  outputTokens: total(summed.outputTokens, "output_tokens"),
  costMicros: total(summed.costMicros, "cost_micros"),
  unpricedMicros: total(summed.unpricedMicros, "unpriced_micros"),
  events: total(summed.events, "events"),
};

/** Where a page of totals begins: after the one with these, of which the cost comes first. */
export type TotalKey = readonly [costMicros: number, provider: string, name: string];

/** Which totals. */
export interface TotalPage extends Period {
  readonly limit: number;
  readonly after: TotalKey | null;
}

/** What each model, or each agent, cost in a period, dearest first. */
function selectTotals(scope: Scope, of: "agent" | "model", page: TotalPage) {
  const sums = scope.db
    .select(totals)
    .from(costDays)
    .where(inPeriod(scope, of, page))
    .groupBy(provider, name)
    .as("sums");
  const [micros, at, called] = page.after ?? [];
  const isAfter =
    page.after === null
      ? undefined
      : sql`(${sums.costMicros}, ${sums.provider}, ${sums.name}) < (${micros}, ${at}, ${called})`;
  return { sums, isAfter, order: [desc(sums.costMicros), desc(sums.provider), desc(sums.name)] };
}

/** What each model cost in a period, dearest first. */
export function listModelTotals(scope: Scope, page: TotalPage) {
  const { sums, isAfter, order } = selectTotals(scope, "model", page);
  return scope.db
    .select()
    .from(sums)
    .where(isAfter)
    .orderBy(...order)
    .limit(page.limit);
}

/** What each agent cost in a period, dearest first. */
export function listAgentTotals(scope: Scope, page: TotalPage) {
  const { sums, isAfter, order } = selectTotals(scope, "agent", page);
  return scope.db
    .select({ ...sums._.selectedFields, agentName: agents.name })
    .from(sums)
    .innerJoin(agents, and(eq(agents.companyId, scope.companyId), sql`${agents.id} = ${sums.name}::uuid`))
    .where(isAfter)
    .orderBy(...order)
    .limit(page.limit);
}
