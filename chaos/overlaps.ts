import type { Sql } from "postgres";

interface Step {
  readonly companyId: string;
  readonly action: "run.claimed" | "run.finished" | "run.requeued";
  readonly runId: string;
  readonly agentId: string;
  readonly issueId: string | null;
  readonly most: number;
}

/** Reads the log in its order: whose runs were under way at one time that must not be. */
export async function overlapsIn(sql: Sql): Promise<string[]> {
  const steps = await sql<Step[]>`
    select a.company_id as "companyId", a.action, r.id as "runId", r.agent_id as "agentId", r.issue_id as "issueId",
      coalesce((g.runtime_config->>'maxConcurrentRuns')::int, 1) as most
    from activity a
    join runs r on r.company_id = a.company_id and r.id = a.entity_id
    join agents g on g.company_id = r.company_id and g.id = r.agent_id
    where a.action in ('run.claimed', 'run.finished', 'run.requeued')
    order by a.company_id, a.seq`;
  const underWay = new Map<string, Step>();
  const findings: string[] = [];
  for (const step of steps) {
    if (step.action !== "run.claimed") {
      underWay.delete(step.runId);
      continue;
    }
    const others = [...underWay.values()].filter(({ agentId }) => agentId === step.agentId);
    if (others.length >= step.most)
      findings.push(`agent ${step.agentId} had ${others.length + 1} runs, of ${step.most}`);
    const twin = others.find(({ issueId }) => issueId !== null && issueId === step.issueId);
    if (twin !== undefined) findings.push(`runs ${twin.runId} and ${step.runId} had the same issue at one time`);
    if (underWay.has(step.runId)) findings.push(`run ${step.runId} was claimed twice at one time`);
    underWay.set(step.runId, step);
  }
  return findings;
}
