import { and, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { Scope } from "../../platform/scope.ts";
import { agentRevisions, agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { leases, runs, wakes } from "../runs/index.ts";
import { skillFiles, skills, skillVersions } from "../skills/index.ts";

/** Everything of a claimed run that its order is made of; the newest wake first. */
export async function findOrderParts(scope: Scope, runId: string) {
  const [row] = await scope.db
    .select({
      run: getTableColumns(runs),
      agent: { name: agents.name, role: agents.role, title: agents.title, capabilities: agents.capabilities },
      company: { name: companies.name },
      content: agentRevisions.content,
      hold: { heldMicros: leases.heldMicros, capMicros: leases.capMicros },
      session: leases.resumed,
      wakes: sql<OrderedWake[]>`coalesce((
        select json_agg(json_build_object('reason', w.reason, 'payload', w.payload) order by w.id desc)
        from ${wakes} w where w.company_id = ${runs.companyId} and w.run_id = ${runs.id}), '[]'::json)`,
    })
    .from(runs)
    .innerJoin(agents, and(eq(agents.companyId, runs.companyId), eq(agents.id, runs.agentId)))
    .innerJoin(companies, eq(companies.id, runs.companyId))
    .leftJoin(leases, and(eq(leases.companyId, runs.companyId), eq(leases.runId, runs.id)))
    .innerJoin(
      agentRevisions,
      and(eq(agentRevisions.companyId, runs.companyId), eq(agentRevisions.id, runs.revisionId)),
    )
    .where(and(eq(runs.companyId, scope.companyId), eq(runs.id, runId)));
  return row ?? null;
}

/** A wake as the order of its run tells it. */
export interface OrderedWake {
  readonly reason: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What an order is made of. */
export type OrderParts = NonNullable<Awaited<ReturnType<typeof findOrderParts>>>;

/** Slugs of skills by their keys. */
export async function slugsOf(scope: Scope, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await scope.db
    .select({ key: skills.key, slug: skills.slug })
    .from(skills)
    .where(and(eq(skills.companyId, scope.companyId), inArray(skills.key, [...keys])));
  return new Map(rows.map(({ key, slug }) => [key, slug]));
}

/** The files of a version of a skill of the company; empty where it has none of this content. */
export function listSkillFiles(scope: Scope, contentHash: string) {
  const version = scope.db
    .select({ id: skillVersions.id })
    .from(skillVersions)
    .where(and(eq(skillVersions.companyId, scope.companyId), eq(skillVersions.contentHash, contentHash)))
    .orderBy(desc(skillVersions.id))
    .limit(1);
  return scope.db
    .select({ path: skillFiles.path, content: skillFiles.content })
    .from(skillFiles)
    .where(and(eq(skillFiles.companyId, scope.companyId), inArray(skillFiles.versionId, version)))
    .orderBy(skillFiles.path);
}
