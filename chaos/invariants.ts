import { readdir, readFile } from "node:fs/promises";
import type { Client } from "@roster/client";
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
export async function findingsIn(scene: Scene): Promise<string[]> {
  const { ground, client, companies } = scene;
  const outputs = companies.flatMap(({ id, workers }) => workers.map((worker) => wrongOutputs(client, id, worker)));
  return [
    ...(await missingWakes(scene)),
    ...(await missingRows(scene)),
    ...(await wrongEnds(ground)),
    ...(await overlapsIn(ground.sql)),
    ...(await gaps(ground)),
    ...(await leftovers(ground)),
    ...(await leftProcesses(ground)),
    ...(await Promise.all(outputs)).flat(),
  ];
}

async function missingWakes({ ground: { sql }, told }: Scene): Promise<string[]> {
  const rows = await sql<
    { idempotency_key: string; agent_id: string; run_id: string | null; skipped: string | null }[]
  >`
    select idempotency_key, agent_id, run_id, skipped from wakes where idempotency_key is not null`;
  const stored = new Map(rows.map((row) => [row.idempotency_key, row]));
  const missing = [...told.wakes].filter(([key, agentId]) => stored.get(key)?.agent_id !== agentId);
  const doubled = rows.length - stored.size;
  return [
    ...missing.map(([key]) => `the acknowledged wake "${key}" is not there`),
    ...(doubled > 0 ? [`${doubled} wakes are there twice`] : []),
  ];
}

async function missingRows({ ground: { sql }, told }: Scene): Promise<string[]> {
  const bodies = (await sql<{ body: string }[]>`select body from comments`).map(({ body }) => body);
  const issues = new Set((await sql<{ id: string }[]>`select id from issues`).map(({ id }) => id));
  const ready = new Set(
    (await sql<{ id: string }[]>`select id from agents where status <> 'pending_approval'`).map(({ id }) => id),
  );
  const times = new Map<string, number>();
  for (const body of bodies) times.set(body, (times.get(body) ?? 0) + 1);
  return [
    ...[...told.comments]
      .filter((body) => times.get(body) !== 1)
      .map((body) => `"${body}" is there ${times.get(body) ?? 0} times`),
    ...[...told.issues].filter((id) => !issues.has(id)).map((id) => `the acknowledged issue ${id} is not there`),
    ...[...told.hires].filter((id) => !ready.has(id)).map((id) => `the approved agent ${id} is not ready`),
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
    left = (await runsWithProcesses()).filter((id) => ids.has(id));
    return left.length === 0 ? true : null;
  }).catch(() => undefined);
  return left.map((id) => `a process of run ${id} lives on`);
}

async function runsWithProcesses(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")));
  return texts.flatMap((text) => /(?:^|\0)SERVICE_RUN_ID=([^\0]+)/.exec(text)?.[1] ?? []);
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
