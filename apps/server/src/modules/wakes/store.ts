import { and, eq, notInArray, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import { agents } from "../agents/index.ts";
import { wakes } from "./table.ts";

/** A wake as stored. */
export type WakeRow = typeof wakes.$inferInsert;

/** Adds a wake, unless its agent can no longer or not yet run. */
export async function insertWake(change: Change, wake: WakeRow): Promise<void> {
  const able = and(
    eq(agents.companyId, change.companyId),
    eq(agents.id, wake.agentId),
    notInArray(agents.status, ["pending_approval", "terminated"]),
  );
  await change.write.insert(wakes).select(
    change.db
      .select({
        companyId: agents.companyId,
        id: sql`${wake.id}::uuid`.as("id"),
        agentId: agents.id,
        source: sql`${wake.source}::text`.as("source"),
        reason: sql`${wake.reason}::text`.as("reason"),
        issueId: sql`${wake.issueId ?? null}::uuid`.as("issue_id"),
        approvalId: sql`${wake.approvalId ?? null}::uuid`.as("approval_id"),
        payload: sql`${JSON.stringify(wake.payload)}::jsonb`.as("payload"),
        causeId: sql`${wake.causeId}::uuid`.as("cause_id"),
        createdAt: sql`${wake.createdAt.toISOString()}::timestamptz`.as("created_at"),
      })
      .from(agents)
      .where(able),
  );
}
