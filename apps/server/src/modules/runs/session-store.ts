import { usualSessionRuns } from "@roster/adapter";
import type { JsonObject } from "@roster/contract";
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Database } from "../../platform/database/index.ts";
import { upkeep } from "../../platform/upkeep.ts";
import { agentSessions } from "./table.ts";

/** A session that nobody has gone on with for so long is not gone on with any more. */
const mostDays = 7;
const mostAtOnce = 1000;

const oldest = sql`clock_timestamp() - make_interval(days => ${sql.raw(String(mostDays))})`;
const setting = (name: string) => sql`a.adapter_config->${sql.raw(`'${name}'`)}`;

/**
 * What a run that is being claimed goes on from, for a statement in which `claimed` is its row: the session of its agent
 * and issue, if it was on this machine, with this configuration (folder and adapter are a part of it), and is neither too
 * old nor too long. No other run is in it just now: of an agent and an issue one run is under way at a time.
 */
export const resumable = sql`(select s.data
  from ${agentSessions} s join agents a on a.company_id = s.company_id and a.id = s.agent_id
  where s.company_id = claimed.company_id and s.agent_id = claimed.agent_id and s.issue_id = claimed.issue_id
    and s.runner_id = claimed.runner_id and s.revision_id = claimed.revision_id and s.used_at > ${oldest}
    and coalesce(${setting("resumeSession")}, 'true') <> 'false'
    and s.runs < case when jsonb_typeof(${setting("maxSessionRuns")}) = 'number'
      then (${setting("maxSessionRuns")})::numeric else ${sql.raw(String(usualSessionRuns))} end)`;

/** Whose conversation it is. */
export interface SessionPlace {
  readonly agentId: string;
  readonly issueId: string;
}

/** Keeps the session of a run that is over, for the next one; counts how many runs there were in the conversation. */
export async function upsertSession(
  change: Change,
  { agentId, issueId }: SessionPlace,
  session: { readonly runnerId: string; readonly revisionId: string; readonly data: JsonObject },
): Promise<void> {
  const values = { ...session, usedAt: sql`clock_timestamp()` };
  await change.upkeep
    .insert(agentSessions)
    .values({ companyId: change.companyId, agentId, issueId, ...values, runs: 1 })
    .onConflictDoUpdate({
      target: [agentSessions.companyId, agentSessions.agentId, agentSessions.issueId],
      set: {
        ...values,
        runs: sql`case when ${agentSessions.data}->>'id' = excluded.data->>'id' then ${agentSessions.runs} + 1 else 1 end`,
      },
    });
}

/** Forgets the session of an agent and an issue. */
export async function deleteSession(change: Change, { agentId, issueId }: SessionPlace): Promise<void> {
  await change.upkeep
    .delete(agentSessions)
    .where(
      and(
        eq(agentSessions.companyId, change.companyId),
        eq(agentSessions.agentId, agentId),
        eq(agentSessions.issueId, issueId),
      ),
    );
}

/** Forgets sessions that are too old to be gone on with, a limited number at a time. */
export async function forgetOldSessions(database: Database): Promise<void> {
  const { companyId, agentId, issueId, usedAt } = agentSessions;
  const old = database.reader
    .select({ companyId, agentId, issueId })
    .from(agentSessions)
    .where(lt(usedAt, oldest))
    .limit(mostAtOnce);
  await upkeep(database, async (keep) => {
    await keep.delete(agentSessions).where(inArray(sql`(${companyId}, ${agentId}, ${issueId})`, old));
  });
}
