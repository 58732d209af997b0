import type { ToldEvent } from "@roster/contract";
import { and, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Scope } from "../../platform/scope.ts";
import type { Upkeep } from "../../platform/upkeep.ts";
import type { Hold } from "../budgets/index.ts";
import { appended, type Progress, type SaidEvent, type StoredEvent } from "./append-events.ts";
import { leases, runEvents } from "./table.ts";
import { type ToldUsage, usageIn } from "./told-usage.ts";

/** An event of a run as stored. */
export type RunEventRow = typeof runEvents.$inferSelect;

/** A run whose lease row is locked: nobody else appends to it meanwhile. */
export interface Appending {
  readonly companyId: string;
  readonly runId: string;
  readonly now: Date;
}

/** What was booked for a run, and what it holds. */
export interface Drawn extends Pick<Hold, "heldMicros" | "drawnMicros"> {
  /** What its program told: the rest somebody reported. */
  readonly costMicros: number;
}

/**
 * Appends what is new among the told events; answers how far the run's events are stored now, and what the new ones say
 * was used.
 */
export async function appendEvents(
  keep: Upkeep,
  { companyId, runId, now }: Appending,
  before: Progress,
  told: readonly (ToldEvent | SaidEvent)[],
): Promise<{ after: Progress; used: ToldUsage[] }> {
  const { events, after } = appended(before, told);
  if (events.length === 0) return { after: before, used: [] };
  await keep.insert(runEvents).values(events.map((event) => rowOf(event, { companyId, runId, now })));
  return { after, used: usageIn(events) };
}

const rowOf = ({ data, ...event }: StoredEvent, { companyId, runId, now }: Appending): RunEventRow => ({
  companyId,
  runId,
  ...event,
  data: data ?? null,
  createdAt: now,
});

/** Notes on its lease how far a run's events are stored, what of its hold is drawn, and that it is completed. */
export async function noteProgress(
  keep: Upkeep,
  run: Pick<Appending, "companyId" | "runId">,
  after: Partial<Progress & Drawn & { readonly completion: string }>,
): Promise<void> {
  await keep
    .update(leases)
    .set(after)
    .where(and(eq(leases.companyId, run.companyId), eq(leases.runId, run.runId)));
}

const ofRun = (scope: Scope, runId: string): SQL | undefined =>
  and(eq(runEvents.companyId, scope.companyId), eq(runEvents.runId, runId));

/** Events of a run after the one with this number, oldest first. */
export function listEvents(
  scope: Scope,
  page: { runId: string; after: number; limit: number },
): Promise<RunEventRow[]> {
  return scope.db
    .select()
    .from(runEvents)
    .where(and(ofRun(scope, page.runId), gt(runEvents.seq, page.after)))
    .orderBy(runEvents.seq)
    .limit(page.limit);
}

const mostAtOnce = 50;

/** Where the piece of the log begins that has the byte at this offset. */
const pieceAt = (scope: Scope, runId: string, at: number): SQL<number> => sql<number>`coalesce((
  select max(e.log_offset) from ${runEvents} e
  where e.company_id = ${scope.companyId} and e.run_id = ${runId} and e.log_offset <= ${at}), 0)`;

/** The bytes of a run's log from one offset up to another, a few events at a time. */
export async function* readLog(
  scope: Scope,
  runId: string,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Buffer, void, undefined> {
  let at = from;
  while (at < to) {
    const rows = await scope.db
      .select({ logOffset: sql<number>`${runEvents.logOffset}`.mapWith(Number), content: runEvents.content })
      .from(runEvents)
      .where(and(ofRun(scope, runId), gte(runEvents.logOffset, pieceAt(scope, runId, at)), lt(runEvents.logOffset, to)))
      .orderBy(runEvents.logOffset)
      .limit(mostAtOnce);
    if (rows.length === 0) return;
    const before = at;
    for (const { logOffset, content } of rows) {
      const end = logOffset + (content?.length ?? 0);
      if (content === null || end <= at) continue;
      yield content.subarray(at - logOffset, to - logOffset);
      at = end;
    }
    if (at === before) return;
  }
}
