import type { FoundProgram } from "@roster/contract";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Database, Reader } from "../../platform/database/index.ts";
import { upkeep } from "../../platform/upkeep.ts";
import { runnerPrograms, runners } from "./table.ts";

/** What a runner told once counts for so long; it tells it again every minute. */
const countsForSec = 180;
const mostRunners = 200;

/** Keeps what a runner has found, in the place of what it told before. */
export async function keepPrograms(
  database: Database,
  runnerId: string,
  programs: readonly FoundProgram[],
): Promise<void> {
  const told = { programs, toldAt: sql`clock_timestamp()` };
  await upkeep(database, async (keep) => {
    await keep
      .insert(runnerPrograms)
      .values({ runnerId, ...told })
      .onConflictDoUpdate({ target: runnerPrograms.runnerId, set: told });
  });
}

/**
 * What the active runners that take the runs of all companies have found of late, each with its own list, who told last
 * first. Those of some companies only are no one else's business.
 */
export async function listPrograms(db: Reader): Promise<readonly (readonly FoundProgram[])[]> {
  const rows = await db
    .select({ programs: runnerPrograms.programs })
    .from(runnerPrograms)
    .innerJoin(runners, eq(runners.id, runnerPrograms.runnerId))
    .where(
      and(
        gt(runnerPrograms.toldAt, sql`clock_timestamp() - make_interval(secs => ${countsForSec})`),
        eq(runners.status, "active"),
        isNull(runners.companyIds),
      ),
    )
    .orderBy(desc(runnerPrograms.toldAt))
    .limit(mostRunners);
  return rows.map(({ programs }) => programs);
}
