import { env, extendEverySec } from "@roster/contract";
import { registerRunner } from "@roster/server";
import type { Sql } from "postgres";
import type { Stage } from "./stage.ts";

/** What the database says of the holder of a run's credential: the statement that every request of a run begins with. */
export async function runHolder(sql: Sql, authorization: string): Promise<{ companyId: string; agentId: string }> {
  const [, claims = ""] = authorization.split(".");
  const { company, run } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { company: string; run: string };
  const [holder] = await sql<{ company_id: string; agent_id: string }[]>`
    select r.company_id, r.agent_id, r.status, r.epoch, r.ending, r.issue_id, r.approval_id, r.started_at, r.cause_id,
      r.root_id, r.hops, a.name, a.status as agent_status, a.permissions, c.status as company_status
    from runs r
    join agents a on a.company_id = r.company_id and a.id = r.agent_id
    join companies c on c.id = r.company_id
    where r.company_id = ${company} and r.id = ${run}`;
  if (holder === undefined) throw new Error("no such run");
  return { companyId: holder.company_id, agentId: holder.agent_id };
}

/** Begins a run of an agent, without a program; answers its credential. Its lease is extended while this process lives. */
export async function beginRun(
  stage: Stage,
  { companyId, agentId }: { companyId: string; agentId: string },
): Promise<string> {
  const host = { database: stage.database, notifier: { notify: () => undefined } };
  const { token } = await registerRunner(host, { name: "bench", companyIds: [companyId] });
  const runner = stage.as(token);
  await stage.board.runs.wakeup({ params: { agentId }, body: {} });
  const { orders } = await runner.runners.claim({ body: { capacity: 1 } });
  const [order] = orders;
  if (order === undefined) throw new Error("the run was not handed out");
  const held = { runId: order.runId, epoch: order.epoch };
  await runner.runners.start({ params: { runId: order.runId }, body: { epoch: order.epoch } });
  const extend = (): void => void runner.runners.extend({ body: { held: [held] } }).catch(() => undefined);
  setInterval(extend, extendEverySec * 1000).unref();
  return order.service[env("API_KEY")] ?? "";
}
