import { longestChain } from "@roster/contract";
import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { activity } from "../../platform/activity/index.ts";
import type { Change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { runs } from "./table.ts";

/** What a run goes back to: the entry that woke its agent, the first entry of the chain, the wakes between. */
export interface Origin {
  readonly causeId: string;
  readonly rootId: string;
  readonly hops: number;
}

/**
 * Takes turns with all that happens in the same turn, until the change ends: who counts what one cause has led to sees
 * what the one before has added. Evaluated after the rows that a statement of its own writes.
 */
export const takeTurn = (turn: string | null): SQL =>
  sql`(select pg_advisory_xact_lock(hashtextextended(${turn}::text, 0)) where ${turn}::text is not null)`;

/** The same as a statement of its own. */
export async function awaitTurn(change: Change, turn: string): Promise<void> {
  await change.db.execute(sql`select ${takeTurn(turn)}`);
}

/** How many other runs go back to the same beginning; counts no further than `most`. */
export async function countRunsOfRoot(
  change: Change,
  { rootId, besides }: { rootId: string; besides: string },
  most: number,
): Promise<number> {
  const counted = change.db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.companyId, change.companyId), eq(runs.rootId, rootId), ne(runs.id, besides)))
    .limit(most)
    .as("counted");
  const [row] = await change.db.select({ count: sql<number>`count(*)::int` }).from(counted);
  return row?.count ?? 0;
}

const lately = sql.raw("clock_timestamp() - interval '1 hour'");
/** What an agent is known by in a statement. */
export interface Whose {
  readonly companyId: SQLWrapper;
  readonly agentId: SQLWrapper;
}

const ownRoots = ({ companyId, agentId }: Whose, most: SQLWrapper) => sql`
  select a.id, a.created_at from ${activity} a
  where a.company_id = ${companyId} and a.actor_id = ${agentId} and a.actor_kind = 'agent' and a.id = a.root_id
    and a.created_at > ${lately}
  order by a.created_at desc limit ${most}`;

/** How often an agent has begun something outside of its runs in the last hour; counts no further than `most`. */
export async function countOwnRoots(scope: Scope, agentId: string, most: number): Promise<number> {
  const whose = { companyId: sql`${scope.companyId}::uuid`, agentId: sql`${agentId}::uuid` };
  const [row] = await scope.db.execute<{ count: number }>(sql`
    select count(*)::int as count from (${ownRoots(whose, sql`${most}`)}) own`);
  return row?.count ?? 0;
}

/** What an agent without a run goes on with. */
export interface Lately {
  /** Its latest run, if that is under way or ended less than an hour ago. */
  readonly run: Origin | null;
  /** How often it has begun something by itself in the last hour, and what last. */
  readonly roots: number;
  readonly lastRootId: string | null;
}

/** What an agent did lately, for statements that find the agent. */
export function latelyOf(whose: Whose, most: SQLWrapper): SQL<Lately> {
  const own = sql`r.company_id = ${whose.companyId} and r.agent_id = ${whose.agentId}`;
  const origin = sql.raw(`json_build_object('causeId', r.cause_id, 'rootId', r.root_id, 'hops', r.hops) as origin`);
  return sql<Lately>`(with own as (${ownRoots(whose, most)})
    select json_build_object('run', coalesce(
      (select u.origin from (select ${origin} from ${runs} r where ${own} and r.status in ('claimed', 'running')
        order by r.id desc limit 1) u),
      (select l.origin from (select ${origin}, r.finished_at from ${runs} r where ${own} and r.claimed_at is not null
        order by r.id desc limit 1) l where l.finished_at > ${lately})),
      'roots', (select count(*)::int from own),
      'lastRootId', (select id from own order by created_at desc limit 1)))`;
}

/** Holds a queued run back. */
export async function markExhausted(change: Change, runId: string): Promise<void> {
  await change.write.update(runs).set({ exhausted: true }).where(isWaiting(change, runId));
}

/** Lets a run that is held back go on, as what began anew. */
export async function freeRun(change: Change, runId: string, origin: Origin): Promise<void> {
  const { causeId, rootId, hops } = origin;
  await change.write.update(runs).set({ exhausted: false, causeId, rootId, hops }).where(isWaiting(change, runId));
}

const isWaiting = (change: Change, runId: string) =>
  and(eq(runs.companyId, change.companyId), eq(runs.id, runId), eq(runs.status, "queued"));

/** True where a run that goes back to this beginning is held back. */
export async function hasExhausted(change: Change, rootId: string): Promise<boolean> {
  const rows = await change.db
    .select({ id: runs.id })
    .from(runs)
    .where(
      and(
        eq(runs.companyId, change.companyId),
        eq(runs.rootId, rootId),
        eq(runs.status, "queued"),
        eq(runs.exhausted, true),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** An entry of a chain of causes. */
export interface ChainEntry extends Record<string, unknown> {
  readonly seq: string;
  readonly action: string;
  readonly hops: number;
  readonly details: Record<string, unknown>;
}

/** The entries from one back to the first of its chain, which is there also where those between are too many. */
export async function listChain(scope: Scope, { causeId, rootId }: Pick<Origin, "causeId" | "rootId">) {
  return scope.db.execute<ChainEntry>(sql`
    with recursive chain as (
      select a.id, a.cause_id, a.seq, a.action, a.hops, a.details, 1 as nth from ${activity} a
      where a.company_id = ${scope.companyId} and a.id = ${causeId}
      union all
      select a.id, a.cause_id, a.seq, a.action, a.hops, a.details, c.nth + 1
      from chain c join ${activity} a on a.company_id = ${scope.companyId} and a.id = c.cause_id
      where c.nth < ${longestChain}
    )
    select seq, action, hops, details, nth from chain
    union all
    select a.seq, a.action, a.hops, a.details, ${longestChain + 1} from ${activity} a
    where a.company_id = ${scope.companyId} and a.id = ${rootId} and not exists (select from chain where id = ${rootId})
    order by nth`);
}
