import { gt, sql } from "drizzle-orm";
import type { Reader } from "../../platform/database/index.ts";
import { awaySec } from "./store.ts";
import { runnerSightings } from "./table.ts";

/** How many runners have asked for work lately. */
export async function countAlive(db: Reader): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(runnerSightings)
    .where(gt(runnerSightings.seenAt, sql`clock_timestamp() - make_interval(secs => ${awaySec})`));
  return row?.count ?? 0;
}
