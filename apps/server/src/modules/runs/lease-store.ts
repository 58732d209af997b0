import { leaseSec } from "@roster/contract";
import { and, eq, gte, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Database, Reader } from "../../platform/database/index.ts";
import { instance } from "../../platform/instance.ts";
import type { Scope } from "../../platform/scope.ts";
import { type Upkeep, upkeep } from "../../platform/upkeep.ts";
import type { Lease } from "./claim-run.ts";
import { leases, runs } from "./table.ts";

/** Who speaks for which run. */
export interface Speaker {
  readonly runId: string;
  readonly runnerId: string;
  readonly epoch: number;
}

/** A lease of a runner with what its run is asked to do. */
export interface HeldLease extends Lease {
  readonly ending: (typeof runs.$inferSelect)["ending"];
}

/** The leases of a runner: every run that it may speak for. */
export function listLeases(db: Reader, runnerId: string): Promise<HeldLease[]> {
  return db
    .select({ companyId: leases.companyId, runId: leases.runId, epoch: leases.epoch, ending: runs.ending })
    .from(leases)
    .innerJoin(runs, and(eq(runs.companyId, leases.companyId), eq(runs.id, leases.runId)))
    .where(eq(leases.runnerId, runnerId))
    .orderBy(leases.runId);
}

/** Extends the leases of a runner that it says it has, under the number it says, by the database's clock. */
export async function extendLeases(
  database: Database,
  runnerId: string,
  held: readonly Pick<Lease, "runId" | "epoch">[],
): Promise<void> {
  if (held.length === 0) return;
  const named = sql`select (h->>'runId')::uuid, (h->>'epoch')::int
    from jsonb_array_elements(${JSON.stringify(held)}::jsonb) h`;
  await upkeep(database, async (keep) => {
    await keep
      .update(leases)
      .set({ leaseUntil: sql`clock_timestamp() + make_interval(secs => ${leaseSec})` })
      .where(and(eq(leases.runnerId, runnerId), sql`(${leases.runId}, ${leases.epoch}) in (${named})`));
  });
}

/** A gap longer than this in what servers say is an outage of the control plane. */
const outageSec = 10;
/**
 * A lease is judged only while servers say that they are there: one that was stopped for a while, with its machine, may
 * go on in the middle of this, before any has given the reprieve.
 */
const hasRunOut = sql<boolean>`(${leases.leaseUntil} < clock_timestamp() and exists (
  select from ${instance} i where i.alive_at > clock_timestamp() - make_interval(secs => ${outageSec})))`;

/** Leases that have run out. */
export function listExpired(db: Reader, limit: number): Promise<Lease[]> {
  return db
    .select({ companyId: leases.companyId, runId: leases.runId, epoch: leases.epoch })
    .from(leases)
    .where(hasRunOut)
    .orderBy(leases.leaseUntil)
    .limit(limit);
}

/** The lease of a run under its number, locked for machinery; null where it is nobody's or another's. */
export async function lockOwnLease(keep: Upkeep, companyId: string, { runId, runnerId, epoch }: Speaker) {
  const [row] = await keep
    .update(leases)
    .set({ epoch })
    .where(
      and(
        eq(leases.companyId, companyId),
        eq(leases.runId, runId),
        eq(leases.runnerId, runnerId),
        eq(leases.epoch, epoch),
      ),
    )
    .returning();
  return row ?? null;
}

/** The lease of a run, locked until the change ends; null where it has none. The run is locked before. */
export async function lockLease(change: Change, runId: string) {
  const [lease] = await change.db
    .select()
    .from(leases)
    .where(and(eq(leases.companyId, change.companyId), eq(leases.runId, runId)))
    .for("update");
  return lease ?? null;
}

/** The lease of a run, locked until the change ends, where it has run out; null otherwise. */
export async function lockExpired(change: Change, runId: string) {
  const [row] = await change.db
    .select({ isExpired: hasRunOut, hasTold: sql<boolean>`${leases.lastSeq} > 0` })
    .from(leases)
    .where(and(eq(leases.companyId, change.companyId), eq(leases.runId, runId)))
    .for("update");
  return row?.isExpired === true ? row : null;
}

/** Ends the right to speak for a run; answers the lease as it was last, null where there was none. */
export async function deleteLease(change: Change, runId: string) {
  const [lease] = await change.upkeep
    .delete(leases)
    .where(and(eq(leases.companyId, change.companyId), eq(leases.runId, runId)))
    .returning();
  return lease ?? null;
}

/** The lease of a run as it is now; null where it has none. */
export async function findLease(scope: Scope, runId: string) {
  const [lease] = await scope.db
    .select()
    .from(leases)
    .where(and(eq(leases.companyId, scope.companyId), eq(leases.runId, runId)));
  return lease ?? null;
}

/** How long runners have after an outage to be heard. */
const reprieveSec = 60;

/**
 * Says that a server is there. After a time in which none was, no runner could extend anything: leases that had not run
 * out when that time began get a reprieve, in the transaction that ends it.
 */
export async function keepAlive(database: Database): Promise<void> {
  await upkeep(database, async (keep) => {
    const [row] = await keep
      .update(instance)
      .set({ aliveAt: sql`clock_timestamp()` })
      .where(eq(instance.id, 1))
      .returning({
        since: sql<string | null>`(select i.alive_at from ${instance} i where i.id = 1)`,
        isOutage: sql<boolean>`coalesce((select i.alive_at from ${instance} i where i.id = 1)
          < clock_timestamp() - make_interval(secs => ${outageSec}), false)`,
      });
    if (row?.isOutage !== true || row.since === null) return;
    await keep
      .update(leases)
      .set({ leaseUntil: sql`clock_timestamp() + make_interval(secs => ${reprieveSec})` })
      .where(gte(leases.leaseUntil, sql`${row.since}::timestamptz`));
  });
}
