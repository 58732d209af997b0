import type { Database } from "../../platform/database/index.ts";
import { listOutdated, type Outdated, removeOutput } from "./retention-store.ts";

/** Of each company in one step: what is removed at once stays small. */
const mostAtOnce = 10;

/**
 * Removes the output of runs that ended longer ago than it is kept. Runs, their causes and what they cost stay. A step
 * done twice, by two servers, is done once.
 */
export async function forgetOutput(database: Database, days: number | null): Promise<void> {
  for (;;) {
    const outdated = await listOutdated(database.reader, days, mostAtOnce);
    if (outdated.length === 0) return;
    const byCompany = new Map<string, Outdated[]>();
    for (const each of outdated) byCompany.set(each.companyId, [...(byCompany.get(each.companyId) ?? []), each]);
    for (const runs of byCompany.values()) await removeOutput(database, runs);
  }
}
