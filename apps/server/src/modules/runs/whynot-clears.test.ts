import type { Whynot } from "@roster/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  idleProgram,
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
} from "../../../test/run-ground.ts";

const states = fc.record({
  hire: fc.constantFrom("hired", "pending", "revision_requested"),
  agent: fc.constantFrom("idle", "board", "breaker", "error"),
  company: fc.constantFrom("active", "paused", "archived"),
  isServiceStopped: fc.boolean(),
  agentSpent: fc.boolean(),
  companySpent: fc.boolean(),
  hasRunner: fc.boolean(),
  queue: fc.constantFrom("empty", "plain", "exhausted", "backing off", "both"),
  wakeOnDemand: fc.boolean(),
});
type State = typeof states extends fc.Arbitrary<infer T> ? T : never;

describe("whynot, in whatever state an agent is", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const hire = async ({ hire: state, wakeOnDemand, agentSpent }: State): Promise<string> => {
    const runtimeConfig = { heartbeat: { wakeOnDemand } };
    const body = { name: "Ada", ...idleProgram, runtimeConfig, budgetMonthlyCents: agentSpent ? 100 : 0 };
    if (state === "hired") return (await company.agent(body)).id;
    const { agent, approval } = await ground.board.hires.request({ params: { companyId: company.id }, body });
    if (state === "revision_requested") {
      await ground.board.approvals.requestRevision({ params: { approvalId: approval?.id ?? "" }, body: {} });
    }
    return agent.id;
  };
  const fill = async (agentId: string, queue: State["queue"]): Promise<void> => {
    if (queue === "empty") return;
    await company.issue({ assigneeAgentId: agentId });
    if (queue === "both") await company.issue({ assigneeAgentId: agentId });
    if (queue === "exhausted" || queue === "both") {
      await ground.sql`update runs set exhausted = true where id = (
        select id from runs where agent_id = ${agentId} order by id limit 1)`;
    }
    if (queue === "backing off" || queue === "both") {
      await ground.sql`update runs set not_before = clock_timestamp() + interval '1 hour'
        where agent_id = ${agentId} and not exhausted`;
    }
  };
  const stop = async (agentId: string, { agent, company: state, isServiceStopped }: State): Promise<void> => {
    if (isServiceStopped) await ground.board.instance.stop();
    if (agent === "error")
      await ground.sql`update agents set status = 'error' where id = ${agentId} and status = 'idle'`;
    if (agent === "board" || agent === "breaker") {
      await ground.sql`update agents set status = 'paused', pause_reason = ${agent} where id = ${agentId} and status = 'idle'`;
    }
    const { companies } = ground.board;
    if (state === "paused") await companies.pause({ params: { companyId: company.id } });
    if (state === "archived") await companies.archive({ params: { companyId: company.id } });
  };
  const spend = (holderId: string) => ground.sql`
    insert into spend (company_id, holder_id, month, spent_micros)
    values (${company.id}, ${holderId}, to_char(now() at time zone 'UTC', 'YYYY-MM'), 1000000)`;

  /** Brings about a state; answers its agent. */
  const bring = async (state: State): Promise<string> => {
    company = await ground.company({ budgetMonthlyCents: state.companySpent ? 100 : 0 });
    runner = await company.runner();
    const agentId = await hire(state);
    if (state.hire === "hired") await fill(agentId, state.queue);
    if (state.agentSpent) await spend(agentId);
    if (state.companySpent) await spend(company.id);
    if (state.hasRunner) await runner.claim({ capacity: 0 });
    await stop(agentId, state);
    return agentId;
  };

  /** Does what a reason says: sends its call, or does what it names. */
  const clear = async (agentId: string, { code, fix }: Whynot["reasons"][number]): Promise<void> => {
    if (fix !== null) {
      const type = fix.method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const sent = { headers: { "content-type": type }, body: JSON.stringify(fix.body ?? {}) };
      const response = await fetch(ground.server.url + fix.path, { method: fix.method, ...sent });
      expect(response.ok, `${code}: ${await response.text()}`).toBe(true);
    } else if (code === "runner") await runner.claim({ capacity: 0 });
    else if (code === "backoff") await ground.sql`update runs set not_before = null where agent_id = ${agentId}`;
    else if (code === "nothing_to_do") await company.issue({ assigneeAgentId: agentId });
    else expect.fail(`${code} names nothing that clears it`);
  };

  test("who does what it says, at the top first, has the agent at work after a few steps", async () => {
    const mostSteps = 10;
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const agentId = await bring(state);
        const params = { agentId };
        for (let step = 0; ; step += 1) {
          const [reason] = (await ground.board.runs.whynot({ params })).reasons;
          if (reason === undefined) break;
          expect(step, reason.message).toBeLessThan(mostSteps);
          await clear(agentId, reason);
        }
        expect((await runner.begin()).agentId).toBe(agentId);
        expect((await ground.board.runs.whynot({ params })).reasons).toEqual([]);
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});
