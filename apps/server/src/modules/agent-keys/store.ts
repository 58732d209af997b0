import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { prepared } from "../../platform/database/index.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { type Lately, latelyOf } from "../runs/index.ts";
import { agentKeys } from "./table.ts";

/** A key as stored. */
export type AgentKeyRow = typeof agentKeys.$inferSelect;

const lately = latelyOf({ companyId: agentKeys.companyId, agentId: agentKeys.agentId }, sql.placeholder("mostRoots"));

/**
 * What a credential says of its holder, by the key's public prefix: one statement by a unique index. With `mostRoots` it
 * also says what the holder did lately; null where that is not asked.
 */
export const findHolder = prepared("key-holder", (db) =>
  db
    .select({
      companyId: agentKeys.companyId,
      agentId: agentKeys.agentId,
      hash: agentKeys.hash,
      expiresAt: agentKeys.expiresAt,
      name: agents.name,
      status: agents.status,
      permissions: agents.permissions,
      companyStatus: companies.status,
      lately: sql<Lately | null>`case when ${sql.placeholder("mostRoots")}::int is not null then ${lately} end`,
    })
    .from(agentKeys)
    .innerJoin(agents, and(eq(agents.companyId, agentKeys.companyId), eq(agents.id, agentKeys.agentId)))
    .innerJoin(companies, eq(companies.id, agentKeys.companyId))
    .where(and(eq(agentKeys.prefix, sql.placeholder("prefix")), isNull(agentKeys.revokedAt))),
);

/** Keys of an agent that were not revoked, newest first. */
export function listKeys(
  scope: Scope,
  page: { agentId: string; limit: number; before: string | null },
): Promise<AgentKeyRow[]> {
  return scope.db
    .select()
    .from(agentKeys)
    .where(
      and(
        eq(agentKeys.companyId, scope.companyId),
        eq(agentKeys.agentId, page.agentId),
        isNull(agentKeys.revokedAt),
        page.before === null ? undefined : lt(agentKeys.id, page.before),
      ),
    )
    .orderBy(desc(agentKeys.id))
    .limit(page.limit);
}

const isUsable = (scope: Scope, agentId: string, keyId: string): SQL | undefined =>
  and(
    eq(agentKeys.companyId, scope.companyId),
    eq(agentKeys.agentId, agentId),
    eq(agentKeys.id, keyId),
    isNull(agentKeys.revokedAt),
  );

/** A key of this agent that was not revoked; throws Missing. */
export async function getKey(scope: Scope, agentId: string, keyId: string): Promise<AgentKeyRow> {
  const [row] = await scope.db
    .select()
    .from(agentKeys)
    .where(isUsable(scope, agentId, keyId));
  if (row === undefined) throw new Missing("agent_key", keyId);
  return row;
}

/** Adds a key. */
export async function insertKey(change: Change, row: AgentKeyRow): Promise<void> {
  await change.write.insert(agentKeys).values(row);
}

/** Revokes a key of this agent; throws Missing when there is none that still works. */
export async function revokeKeyRow(change: Change, agentId: string, keyId: string): Promise<AgentKeyRow> {
  const [row] = await change.write
    .update(agentKeys)
    .set({ revokedAt: change.now })
    .where(isUsable(change, agentId, keyId))
    .returning();
  if (row === undefined) throw new Missing("agent_key", keyId);
  return row;
}
