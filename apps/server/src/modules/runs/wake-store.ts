import type { JsonObject, skipReasons, wakeSources } from "@roster/contract";
import { and, eq, sql } from "drizzle-orm";
import { type Change, LostRace } from "../../platform/change.ts";
import { databaseFault } from "../../platform/database/index.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Led } from "./bound-run.ts";
import { type Origin, takeTurn } from "./cause-store.ts";
import { wakes } from "./table.ts";

/** A wake that is to make a run or join one. */
export interface NewWake {
  readonly id: string;
  /** The run it makes, unless it joins one. */
  readonly runId: string;
  readonly agentId: string;
  readonly source: (typeof wakeSources)[number];
  readonly reason: string;
  readonly issueId: string | null;
  readonly approvalId: string | null;
  readonly payload: JsonObject;
  readonly causeId: string;
  readonly idempotencyKey: string | null;
  /** Of the run it makes. */
  readonly run: Origin & { readonly priority: number; readonly exhausted: boolean };
  /** The turn that it takes. */
  readonly turn: string | null;
}

/**
 * Adds a wake with its run, in one statement: neither can the agent be terminated nor its company be archived meanwhile,
 * and of all that wake it for the same issue and approval at once, one makes the queued run and the others join it; a
 * run that is claimed at that moment is joined no more. Null for an agent that is pending or terminated: it is not woken.
 */
export async function insertWake(change: Change, wake: NewWake): Promise<Led | null> {
  const { companyId, now } = change;
  const { run } = wake;
  const at = now.toISOString();
  const rows = await change.write
    .execute<Led & Record<string, unknown>>(sql`
    with able as (
      select a.id, a.name from agents a join companies c on c.id = a.company_id
      where a.company_id = ${companyId} and a.id = ${wake.agentId}
        and a.status not in ('pending_approval', 'terminated')
      for key share
    ), run as (
      insert into runs (company_id, id, agent_id, issue_id, approval_id, status, priority, attempt, cause_id, root_id,
        hops, exhausted, created_at)
      select ${companyId}, ${wake.runId}, able.id, ${wake.issueId}, ${wake.approvalId}, 'queued', ${run.priority}, 1,
        ${run.causeId}, ${run.rootId}, ${run.hops}, ${run.exhausted}, ${at} from able
      on conflict (company_id, agent_id, issue_id, approval_id) where status = 'queued'
      do update set priority = least(runs.priority, excluded.priority)
      returning id, (xmax = 0) as made, exhausted, root_id
    ), wake as (
      insert into wakes (company_id, id, agent_id, source, reason, issue_id, approval_id, payload, cause_id, run_id,
        idempotency_key, created_at)
      select ${companyId}, ${wake.id}, able.id, ${wake.source}, ${wake.reason}, ${wake.issueId}, ${wake.approvalId},
        ${JSON.stringify(wake.payload)}::jsonb, ${wake.causeId}, run.id, ${wake.idempotencyKey}, ${at} from able, run
    )
    select run.id as "runId", able.name as "agentName", run.made, run.exhausted, run.root_id as "rootId",
      ${takeTurn(wake.turn)} as turn
    from able, run`)
    .catch(takenKey);
  return rows[0] ?? null;
}

/** Another request came first with the same key: begun again, this one finds it. */
function takenKey(error: unknown): never {
  if (databaseFault(error)?.constraint === "wakes_idempotency_key") throw new LostRace("idempotency key of a wake");
  throw error;
}

/** A wake that leads to no run. */
export type SkippedWake = Pick<
  NewWake,
  "id" | "agentId" | "source" | "reason" | "issueId" | "approvalId" | "payload" | "causeId"
> & {
  readonly skipped: (typeof skipReasons)[number];
};

/** Records a wake that leads to no run. */
export async function insertSkippedWake(change: Change, wake: SkippedWake): Promise<void> {
  await change.write.insert(wakes).values({ companyId: change.companyId, ...wake, createdAt: change.now });
}

/** The run that the wake with this key made or joined; null when there was none. */
export async function findWakeByKey(scope: Scope, agentId: string, key: string): Promise<string | null> {
  const [row] = await scope.db
    .select({ runId: wakes.runId })
    .from(wakes)
    .where(and(eq(wakes.companyId, scope.companyId), eq(wakes.agentId, agentId), eq(wakes.idempotencyKey, key)));
  return row?.runId ?? null;
}

/** Hands the wakes of a run to the one that takes its place. */
export async function moveWakes(change: Change, from: string, to: string): Promise<void> {
  await change.write
    .update(wakes)
    .set({ runId: to })
    .where(and(eq(wakes.companyId, change.companyId), eq(wakes.runId, from)));
}
