import type { Agent } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopeIn } from "../../../test/module-door.ts";
import { idleProgram, type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";
import type { TestServer } from "../../../test/test-server.ts";
import { fireTimers } from "./index.ts";

describe("timers", () => {
  let ground: RunGround;
  let company: TestCompany;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const every = (intervalSec: number, more: object = {}) => ({
    runtimeConfig: { heartbeat: { enabled: true, intervalSec, ...more } },
  });
  const off = { runtimeConfig: { heartbeat: { enabled: false } } };
  /** The timer of an agent: its interval, and seconds until it is due; undefined where it has none. */
  const timerOf = async ({ id }: Pick<Agent, "id">) => {
    const [row] = await ground.sql<{ intervalSec: number; inSec: number }[]>`
      select interval_sec as "intervalSec", extract(epoch from next_at - clock_timestamp())::float8 as "inSec"
      from timers where agent_id = ${id}`;
    return row;
  };
  const intervalOf = async (agent: Pick<Agent, "id">) => (await timerOf(agent))?.intervalSec;
  /** Lets the timers of these agents have been due for a while, however often. */
  const lapse = (...agents: Agent[]) => ground.sql`
    update timers set next_at = clock_timestamp() - interval '3 days'
    where agent_id in ${ground.sql(agents.map(({ id }) => id))}`;
  const fire = (server: TestServer = ground.server) => {
    const host = { database: server.database, notifier: { notify: () => undefined } };
    return fireTimers(host, scopeIn(server, "", { kind: "system" }));
  };
  /** Fires until none of these is due: what another server has in hand, it wakes. */
  const ring = async (...agents: Agent[]): Promise<void> => {
    await lapse(...agents);
    await fire();
    const due = async () => (await Promise.all(agents.map(timerOf))).filter((timer) => (timer?.inSec ?? 1) < 0);
    await expect.poll(due, { interval: 20 }).toEqual([]);
  };
  const wakesOf = ({ id }: Agent) => ground.sql<{ source: string; reason: string; runId: string }[]>`
    select source, reason, run_id as "runId" from wakes where agent_id = ${id} order by id`;
  const countOf = async (agent: Agent) => (await wakesOf(agent)).length;

  test("an agent has one from when it can work and its heartbeat is on, until neither holds", async () => {
    company = await ground.company();
    const agent = await company.agent(every(600));
    const timer = await timerOf(agent);
    expect(timer?.intervalSec).toBe(600);
    expect(timer?.inSec).toBeGreaterThan(-1);
    expect(timer?.inSec).toBeLessThanOrEqual(600);
    const { agents, configurations } = ground.board;
    const params = { agentId: agent.id };
    await agents.change({ params, body: every(60) });
    expect(await intervalOf(agent)).toBe(60);
    await agents.change({ params, body: off });
    expect(await timerOf(agent)).toBeUndefined();
    const { items } = await configurations.listRevisions({ params });
    await configurations.rollback({ params: { ...params, revisionId: items.at(-1)?.id ?? "" } });
    expect(await intervalOf(agent)).toBe(600);
    await agents.pause({ params });
    expect(await intervalOf(agent)).toBe(600);
    await agents.terminate({ params });
    expect(await timerOf(agent)).toBeUndefined();
    expect(await timerOf(await company.agent())).toBeUndefined();
  });

  test("P4: a proposed agent has none before it is approved, and none when it is rejected", async () => {
    company = await ground.company();
    const hire = (name: string) =>
      ground.board.hires.request({ params: { companyId: company.id }, body: { name, ...idleProgram, ...every(60) } });
    const [one, two] = [await hire("One"), await hire("Two")];
    expect(await timerOf(one.agent)).toBeUndefined();
    await ground.board.approvals.approve({ params: { approvalId: one.approval?.id ?? "" }, body: {} });
    await ground.board.approvals.reject({ params: { approvalId: two.approval?.id ?? "" }, body: {} });
    expect(await intervalOf(one.agent)).toBe(60);
    expect(await timerOf(two.agent)).toBeUndefined();
  });

  test("P9: after however long an outage each agent is woken once, and each wake begins something of its own", async () => {
    company = await ground.company();
    const agents = await Promise.all([1, 2, 3].map(() => company.agent(every(60))));
    await ring(...agents);
    await fire();
    for (const agent of agents) {
      expect(await wakesOf(agent)).toMatchObject([{ source: "timer", reason: "Its timer, every 60 seconds" }]);
      const timer = await timerOf(agent);
      expect(timer?.inSec).toBeGreaterThan(0);
      expect(timer?.inSec).toBeLessThanOrEqual(60);
    }
    const runs = await Promise.all((await company.runs()).map(({ id }) => ground.run(id)));
    expect(runs.map(({ chain }) => chain.map(({ action }) => action))).toEqual(agents.map(() => ["agent.woken"]));
    expect(new Set(runs.map(({ chain }) => chain[0]?.seq)).size).toBe(3);
    const woken = (await company.log()).filter(({ action }) => action === "agent.woken");
    expect(woken.map(({ actor, cause }) => [actor.kind, cause.hops])).toEqual(agents.map(() => ["system", 0]));
  });

  test("P5: of several servers that fire at once, one wakes each agent", async () => {
    const sibling = await ground.sibling();
    company = await ground.company();
    const agents = await Promise.all(Array.from({ length: 12 }, () => company.agent(every(3600))));
    await lapse(...agents);
    await Promise.all([fire(), fire(sibling), fire(), fire(sibling)]);
    await expect.poll(async () => (await company.runs()).length, { interval: 20 }).toBe(12);
    for (const agent of agents) expect(await countOf(agent)).toBe(1);
  });

  test("agents of one interval are due at moments of their own, the same ones after each ring", async () => {
    company = await ground.company();
    const agents = await Promise.all(Array.from({ length: 8 }, () => company.agent(every(86_400))));
    const moments = async () => {
      const rows = await ground.sql<{ at: number }[]>`
        select round(extract(epoch from next_at))::int % 86400 as at from timers
        where company_id = ${company.id} order by agent_id`;
      return rows.map(({ at }) => at);
    };
    const before = await moments();
    expect(new Set(before).size).toBeGreaterThan(4);
    await ring(...agents);
    expect(await moments()).toEqual(before);
  });

  test("nobody is woken while it is paused, or its company; what it missed is not made up for", async () => {
    company = await ground.company();
    const [paused, other] = [await company.agent(every(3600)), await company.agent(every(3600))];
    const agentId = paused.id;
    await ground.board.agents.pause({ params: { agentId } });
    await ring(paused, other);
    expect([await countOf(paused), await countOf(other)]).toEqual([0, 1]);
    await ground.board.agents.resume({ params: { agentId } });
    await fire();
    expect(await countOf(paused)).toBe(0);
    await ground.board.companies.pause({ params: { companyId: company.id } });
    await ring(paused);
    expect(await countOf(paused)).toBe(0);
    await ground.board.companies.archive({ params: { companyId: company.id } });
    await ring(paused);
    await ground.board.companies.resume({ params: { companyId: company.id } });
    await ring(paused);
    expect(await countOf(paused)).toBe(1);
  });

  test("one that is to sleep while nothing is to do is woken only when an issue of its own is open", async () => {
    company = await ground.company();
    const agent = await company.agent(every(3600, { skipWhenIdle: true }));
    await company.issue({ assigneeAgentId: agent.id, status: "backlog" });
    await company.issue({ assigneeAgentId: agent.id, status: "done" });
    await company.issue();
    await ring(agent);
    expect(await countOf(agent)).toBe(0);
    await company.issue({ assigneeAgentId: agent.id, status: "blocked" });
    const before = await countOf(agent);
    await ring(agent);
    expect((await wakesOf(agent)).slice(before)).toMatchObject([{ source: "timer" }]);
  });

  test("an agent whose timer has woken it and that waits is not woken again; one that runs is, once", async () => {
    company = await ground.company();
    const agent = await company.agent(every(3600));
    await ring(agent);
    await ring(agent);
    expect(await countOf(agent)).toBe(1);
    const runner = await company.runner();
    const order = await runner.begin();
    await ring(agent);
    await ring(agent);
    const wakes = await wakesOf(agent);
    expect(wakes).toHaveLength(2);
    expect(wakes[1]?.runId).not.toBe(order.runId);
    await runner.settle(order);
    expect((await runner.take()).runId).toBe(wakes[1]?.runId);
  });

  test("the loop of a server fires by itself", async () => {
    company = await ground.company();
    const agent = await company.agent(every(3600));
    await lapse(agent);
    const another = await ground.sibling();
    await expect.poll(() => countOf(agent), { interval: 50, timeout: 10_000 }).toBe(1);
    await another.close();
  });
});
