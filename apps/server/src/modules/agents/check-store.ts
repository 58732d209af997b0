import type { AgentCheck, CheckFinding } from "@roster/contract";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Database, Reader } from "../../platform/database/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { upkeep } from "../../platform/upkeep.ts";
import { agentChecks, agentRevisions, agents } from "./table.ts";

/** What is stored of a check: as it is shown, with the time as PostgreSQL writes it into JSON. */
export type StoredCheck = AgentCheck;

/** The check of the selected agent; null where none was ever queued. */
export const checkOfAgent = sql<StoredCheck | null>`(select json_build_object('state', k.state, 'findings', k.findings,
  'checkedAt', k.checked_at, 'runnerId', k.runner_id) from ${agentChecks} k
  where k.company_id = ${agents.companyId} and k.agent_id = ${agents.id})`;

/** Has an agent's settings checked, from now on those of this revision. */
export async function queueCheck(change: Change, agentId: string, revisionId: string): Promise<void> {
  const queued = {
    revisionId,
    state: "unchecked",
    findings: [],
    checkedAt: null,
    runnerId: null,
    takenUntil: null,
  } as const;
  await change.upkeep
    .insert(agentChecks)
    .values({ companyId: change.companyId, agentId, ...queued, findings: [] })
    .onConflictDoUpdate({ target: [agentChecks.companyId, agentChecks.agentId], set: { ...queued, findings: [] } });
}

/** Has an agent's settings checked once more. */
export async function requeueCheck(change: Change, agentId: string): Promise<void> {
  await change.upkeep
    .update(agentChecks)
    .set({ state: "unchecked", findings: [], checkedAt: null, runnerId: null, takenUntil: null })
    .where(and(eq(agentChecks.companyId, change.companyId), eq(agentChecks.agentId, agentId)));
}

/** Who asks for checks: the companies it works for, null for all, and the labels it carries. */
export interface Checker {
  readonly companyIds: readonly string[] | null;
  readonly labels: readonly string[];
}

const isFree = sql`(${agentChecks.takenUntil} is null or ${agentChecks.takenUntil} < clock_timestamp())`;

/** True where a check waits that nobody has taken. */
export const hasChecks = sql<boolean>`exists (
  select from ${agentChecks} where ${agentChecks.state} = 'unchecked' and ${isFree})`;

/** A runner that has taken a check and says nothing of it leaves it to another after so long. */
const takenForSec = 30;

/** Checks that this runner could do, the longest waiting first, with what is to be checked. */
export function listChecks(db: Reader, { companyIds, labels }: Checker, limit: number) {
  const companies = companyIds === null ? null : JSON.stringify(companyIds);
  return db
    .select({
      companyId: agentChecks.companyId,
      agentId: agentChecks.agentId,
      revisionId: agentChecks.revisionId,
      status: agents.status,
      content: agentRevisions.content,
    })
    .from(agentChecks)
    .innerJoin(agents, and(eq(agents.companyId, agentChecks.companyId), eq(agents.id, agentChecks.agentId)))
    .innerJoin(
      agentRevisions,
      and(eq(agentRevisions.companyId, agentChecks.companyId), eq(agentRevisions.id, agentChecks.revisionId)),
    )
    .where(
      and(
        eq(agentChecks.state, "unchecked"),
        isFree,
        sql`${agents.status} <> 'terminated'`,
        sql`coalesce(${agentRevisions.content} #> '{adapterConfig,runner,labels}', '[]'::jsonb)
          <@ ${JSON.stringify(labels)}::jsonb`,
        sql`(${companies}::jsonb is null or ${companies}::jsonb ? ${agentChecks.companyId}::text)`,
      ),
    )
    .orderBy(asc(agentChecks.revisionId))
    .limit(limit);
}

/** A check that can be done. */
export type WaitingCheck = Awaited<ReturnType<typeof listChecks>>[number];

/** Takes those of the checks that nobody else has taken meanwhile, and answers them. */
export async function takeChecks(database: Database, waiting: readonly WaitingCheck[]): Promise<WaitingCheck[]> {
  if (waiting.length === 0) return [];
  const taken = await upkeep(database, (keep) =>
    keep
      .update(agentChecks)
      .set({ takenUntil: sql`clock_timestamp() + make_interval(secs => ${takenForSec})` })
      .where(
        and(
          inArray(
            agentChecks.revisionId,
            waiting.map(({ revisionId }) => revisionId),
          ),
          eq(agentChecks.state, "unchecked"),
          isFree,
        ),
      )
      .returning({ revisionId: agentChecks.revisionId }),
  );
  const ids = new Set(taken.map(({ revisionId }) => revisionId));
  return waiting.filter(({ revisionId }) => ids.has(revisionId));
}

/** What a runner found. */
export interface CheckReport {
  readonly agentId: string;
  readonly revisionId: string;
  readonly runnerId: string;
  readonly findings: readonly CheckFinding[];
}

/** Stores what a check found, if it is about the present configuration. */
export async function storeCheck(
  database: Database,
  { companyId }: Pick<Scope, "companyId">,
  { agentId, revisionId, runnerId, findings }: CheckReport,
): Promise<void> {
  await upkeep(database, async (keep) => {
    await keep
      .update(agentChecks)
      .set({
        state: stateOf(findings),
        findings: [...findings],
        checkedAt: sql`clock_timestamp()`,
        runnerId,
        takenUntil: null,
      })
      .where(
        and(
          eq(agentChecks.companyId, companyId),
          eq(agentChecks.agentId, agentId),
          eq(agentChecks.revisionId, revisionId),
        ),
      );
  });
}

function stateOf(findings: readonly CheckFinding[]): StoredCheck["state"] {
  if (findings.length === 0) return "ok";
  return findings.some(({ severity }) => severity === "error") ? "errors" : "warnings";
}
