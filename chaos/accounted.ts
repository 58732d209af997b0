import type { Sql } from "postgres";
import { type Acknowledged, reporting } from "./work.ts";

/** What was acknowledged and is not there, or is there twice; wakes that lead nowhere. */
export async function unaccounted(sql: Sql, told: Acknowledged): Promise<string[]> {
  return [
    ...(await missingWakes(sql, told)),
    ...(await strayWakes(sql)),
    ...(await missingRows(sql, told)),
    ...(await wrongSums(sql)),
  ];
}

async function missingWakes(sql: Sql, { wakes }: Acknowledged): Promise<string[]> {
  const rows = await sql<{ key: string; agentId: string }[]>`
    select idempotency_key as key, agent_id as "agentId" from wakes where idempotency_key is not null`;
  const stored = new Map(rows.map(({ key, agentId }) => [key, agentId]));
  const missing = [...wakes].filter(([key, agentId]) => stored.get(key) !== agentId);
  const doubled = rows.length - stored.size;
  return [
    ...missing.map(([key]) => `the acknowledged wake "${key}" is not there`),
    ...(doubled > 0 ? [`${doubled} wakes are there twice`] : []),
  ];
}

/** A wake was skipped, or belongs to a run that nothing took the place of; and no other run has none. */
async function strayWakes(sql: Sql): Promise<string[]> {
  const left = await sql<{ id: string }[]>`
    select w.id from wakes w join runs r on r.company_id = w.company_id and r.id = w.run_id
    where exists (select from runs n where n.company_id = r.company_id and n.retry_of = r.id)`;
  const idle = await sql<{ id: string }[]>`
    select r.id from runs r
    where not exists (select from wakes w where w.company_id = r.company_id and w.run_id = r.id)
      and not exists (select from activity a where a.company_id = r.company_id and a.action = 'run.retried'
        and a.details->>'retryOf' = r.id::text)`;
  return [
    ...left.map(({ id }) => `the wake ${id} was left to a run whose place another has taken`),
    ...idle.map(({ id }) => `run ${id} has no wake, and no run took its place`),
  ];
}

async function missingRows(sql: Sql, told: Acknowledged): Promise<string[]> {
  const comments = await sql<{ name: string }[]>`select body as name from comments`;
  const costs = await sql<{ name: string }[]>`select model as name from cost_events where provider = ${reporting}`;
  const issues = new Set((await sql<{ id: string }[]>`select id from issues`).map(({ id }) => id));
  const agents = await sql<{ id: string; status: string }[]>`select id, status from agents`;
  const statuses = new Map(agents.map(({ id, status }) => [id, status]));
  const isReady = (id: string): boolean => !["pending_approval", "terminated", undefined].includes(statuses.get(id));
  return [
    ...notOnce(told.comments, comments),
    ...notOnce(told.costs, costs),
    ...[...told.issues].filter((id) => !issues.has(id)).map((id) => `the acknowledged issue ${id} is not there`),
    ...[...told.hires].filter((id) => !isReady(id)).map((id) => `the approved agent ${id} is not ready`),
    ...[...told.rejected].filter(isReady).map((id) => `the agent ${id} was turned down and is ready`),
  ];
}

function notOnce(names: ReadonlySet<string>, rows: readonly { readonly name: string }[]): string[] {
  const times = new Map<string, number>();
  for (const { name } of rows) times.set(name, (times.get(name) ?? 0) + 1);
  return [...names]
    .filter((name) => times.get(name) !== 1)
    .map((name) => `"${name}" is there ${times.get(name) ?? 0} times`);
}

/** What was spent is what was booked, and nothing is held any more. */
async function wrongSums(sql: Sql): Promise<string[]> {
  const rows = await sql<{ holder: string; spent: string; booked: string }[]>`
    select s.holder_id as holder, sum(s.spent_micros)::text as spent, (
        select coalesce(sum(e.cost_micros), 0) from cost_events e
        where e.company_id = s.company_id and s.holder_id in (e.company_id, e.agent_id))::text as booked
    from spend s group by s.company_id, s.holder_id`;
  return rows
    .filter(({ spent, booked }) => spent !== booked)
    .map(({ holder, spent, booked }) => `${holder} has spent ${spent} micro-dollars, of which ${booked} were booked`);
}
