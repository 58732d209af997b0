import type { Client } from "@roster/client";
import { unaccounted } from "./accounted.ts";
import { carriers } from "./carriers.ts";
import { type Company, type Worker, wholeOutput } from "./company.ts";
import { eventually } from "./eventually.ts";
import type { Ground } from "./ground.ts";
import { overlapsIn } from "./overlaps.ts";
import type { Acknowledged } from "./work.ts";

interface Scene {
  readonly ground: Ground;
  readonly client: Client;
  readonly companies: readonly Company[];
  readonly told: Acknowledged;
}

/** Everything that must hold once nothing runs any more; what does not, as sentences. */
export async function findingsIn({ ground, client, companies, told }: Scene): Promise<string[]> {
  const outputs = companies.flatMap(({ id, workers }) => workers.map((worker) => wrongOutputs(client, id, worker)));
  return [
    ...(await unaccounted(ground.sql, told)),
    ...(await wrongEnds(ground)),
    ...(await overlapsIn(ground.sql)),
    ...(await gaps(ground)),
    ...(await leftovers(ground)),
    ...(await leftProcesses(ground)),
    ...(await Promise.all(outputs)).flat(),
  ];
}

/** Every run that is over has one entry that says how it ended; none that is not over has one. */
async function wrongEnds({ sql }: Ground): Promise<string[]> {
  const rows = await sql<{ id: string; status: string; ends: number; lease: boolean }[]>`
    select r.id, r.status, (select count(*)::int from activity a
        where a.company_id = r.company_id and a.entity_id = r.id and a.action = 'run.finished') as ends,
      exists (select from leases l where l.company_id = r.company_id and l.run_id = r.id) as lease
    from runs r`;
  return rows
    .filter(({ status, ends, lease }) => ends !== (status === "queued" ? 0 : 1) || lease)
    .map(({ id, status, ends, lease }) => `run ${id} is ${status}, ended ${ends} times, leased: ${lease}`);
}

async function gaps({ sql }: Ground): Promise<string[]> {
  const rows = await sql<{ company_id: string }[]>`
    select h.company_id from activity_heads h
    where h.last_seq <> (select count(*) from activity a where a.company_id = h.company_id)
      or h.last_seq <> (select coalesce(max(a.seq), 0) from activity a where a.company_id = h.company_id)`;
  return rows.map(({ company_id }) => `the log of ${company_id} has gaps`);
}

/** Nothing is held for a run that is over. */
async function leftovers({ sql }: Ground): Promise<string[]> {
  const held = await sql<{ id: string }[]>`
    select i.id from issues i join runs r on r.company_id = i.company_id and r.id = i.checkout_run_id
    where r.finished_at is not null`;
  const agents = await sql<{ id: string; status: string }[]>`
    select a.id, a.status from agents a where a.status = 'running'
      and not exists (select from runs r where r.agent_id = a.id and r.status in ('claimed', 'running'))`;
  return [
    ...held.map(({ id }) => `issue ${id} is checked out by a run that is over`),
    ...agents.map(({ id }) => `agent ${id} is running, and no run of it is under way`),
  ];
}

/** No process lives on of a run that is over: the runners have had their time to end what a fault left behind. */
async function leftProcesses({ sql }: Ground): Promise<string[]> {
  const over = (await sql<{ id: string }[]>`select id from runs where finished_at is not null`).map(({ id }) => id);
  const ids = new Set(over);
  let left: string[] = [];
  await eventually("the end of all processes", async () => {
    left = [...new Set((await carriers()).values())].filter((id) => ids.has(id));
    return left.length === 0 ? true : null;
  }).catch(() => undefined);
  return left.map((id) => `a process of run ${id} lives on`);
}

/** A run that came to its end printed everything once and in order; one that did not, a beginning of it. */
async function wrongOutputs(client: Client, companyId: string, { id: agentId, lines }: Worker): Promise<string[]> {
  const whole = wholeOutput(lines);
  const findings: string[] = [];
  for await (const run of client.runs.list.all({ params: { companyId }, query: { agentId } })) {
    if (run.finishedAt === null || run.startedAt === null) continue;
    const log = Buffer.from(await client.runs.log({ params: { runId: run.id } })).toString();
    // The shell says so when what it waits for is ended.
    const printed = log.replaceAll(/(?:Terminated|Killed)\n/g, "");
    const isRight = run.status === "succeeded" ? printed === whole : whole.startsWith(printed);
    if (!isRight) findings.push(`run ${run.id} (${run.status}) printed ${JSON.stringify(log.slice(-200))}`);
  }
  return findings;
}
