import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@roster/client";
import type { Company } from "./company.ts";
import type { Ground } from "./ground.ts";
import { unlessRefused } from "./work.ts";

/** Nothing ends for so long: longer than a lease, an outage's reprieve and the longest backoff together. */
const patienceMs = 240_000;
const lookEveryMs = 100;
/** In a row: between two looks something may have begun that waited for the last to end. */
const looksAtRest = 20;
/** What is on its way; everything else waits for a person. */
const passing = ["runner", "concurrency", "backoff"];

/**
 * Resumes who was left paused and waits until nothing runs, and nothing waits that could. Answers what does not come to
 * rest.
 */
export async function settleDown(ground: Ground, client: Client, companies: readonly Company[]): Promise<string[]> {
  for (const { id: companyId, workers } of companies) {
    await client.companies.resume({ params: { companyId } }).catch(unlessRefused);
    for (const { id: agentId } of workers) await client.agents.resume({ params: { agentId } }).catch(unlessRefused);
  }
  let quiet = 0;
  let ended = 0;
  for (let patientUntil = performance.now() + patienceMs; quiet < looksAtRest; ) {
    await pause(lookEveryMs);
    // The database may be recovering just now.
    quiet = (await isAtRest(ground, client, companies).catch(() => false)) ? quiet + 1 : 0;
    const [row] = await ground.sql<{ count: number }[]>`
      select count(*)::int from runs where finished_at is not null`.catch(() => []);
    if (row !== undefined && row.count > ended) {
      ended = row.count;
      patientUntil = performance.now() + patienceMs;
    }
    if (performance.now() > patientUntil) return [await unrestOf(ground)];
  }
  return [];
}

async function unrestOf({ sql }: Ground): Promise<string> {
  const rows = await sql<{ id: string; status: string }[]>`select id, status from runs where finished_at is null`;
  return `does not come to rest: ${rows.map(({ id, status }) => `${id} ${status}`).join(", ")}`;
}

async function isAtRest({ sql }: Ground, client: Client, companies: readonly Company[]): Promise<boolean> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from runs where status in ('claimed', 'running')`;
  if (row?.count !== 0) return false;
  for (const { id: companyId } of companies) {
    for await (const { waitingFor } of client.runs.list.all({ params: { companyId }, query: { status: "queued" } })) {
      if (waitingFor !== null && passing.includes(waitingFor)) return false;
    }
  }
  return true;
}
