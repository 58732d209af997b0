import { contract } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idleProgram, type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";

describe("waking on demand", () => {
  let ground: RunGround;
  let company: TestCompany;
  beforeAll(async () => {
    ground = await startRunGround();
    company = await ground.company();
  });
  afterAll(() => ground.close());

  const spendAll = (companyId: string, holderId: string) => ground.sql`
    insert into spend (company_id, holder_id, month, spent_micros)
    values (${companyId}, ${holderId}, to_char(now() at time zone 'UTC', 'YYYY-MM'), 1000000)`;

  test("P4: it is refused, and nothing is written, while the agent could not run: each reason has its code", async () => {
    const { board } = ground;
    const agentsOf = {
      agent_pending_approval: async () => {
        const body = { name: "Eva", ...idleProgram };
        return (await board.hires.request({ params: { companyId: company.id }, body })).agent;
      },
      agent_paused: async () => board.agents.pause({ params: { agentId: (await company.agent()).id } }),
      agent_terminated: async () => board.agents.terminate({ params: { agentId: (await company.agent()).id } }),
      company_paused: async () => {
        const paused = await ground.company();
        const agent = await paused.agent();
        await board.companies.pause({ params: { companyId: paused.id } });
        return agent;
      },
      over_budget: async () => {
        const agent = await company.agent({ budgetMonthlyCents: 100 });
        await spendAll(company.id, agent.id);
        return agent;
      },
      wake_disabled: () => company.agent({ runtimeConfig: { heartbeat: { wakeOnDemand: false } } }),
    };
    const named = contract.runs.wakeup.refusals.filter((code) => code !== "unknown_reference");
    expect(Object.keys(agentsOf)).toEqual(named);
    for (const [code, make] of Object.entries(agentsOf)) {
      const params = { agentId: (await make()).id };
      const { status } = await ground.refused(code, () => board.runs.wakeup({ params, body: {} }));
      expect(status).toBe(409);
      await ground.refused(code, () => board.runs.invoke({ params }));
    }
  });

  test("P4: nobody of a company that has spent its budget is woken on demand", async () => {
    const poor = await ground.company({ budgetMonthlyCents: 100 });
    const agent = await poor.agent();
    await ground.wake(agent.id);
    await spendAll(poor.id, poor.id);
    await ground.refused("over_budget", () => ground.wake(agent.id));
  });

  test("what was spent in another month, or without a limit, keeps nobody from being woken", async () => {
    const thrifty = await company.agent({ budgetMonthlyCents: 100 });
    await ground.sql`
      insert into spend (company_id, holder_id, month, spent_micros)
      values (${company.id}, ${thrifty.id}, '2020-01', 1000000)`;
    const free = await company.agent();
    await spendAll(company.id, free.id);
    for (const { id } of [thrifty, free]) expect(await ground.wake(id)).toMatchObject({ status: "queued" });
  });

  test("what is switched off on demand still wakes by being given work", async () => {
    const agent = await company.agent({ runtimeConfig: { heartbeat: { wakeOnDemand: false } } });
    const { id: issueId } = await company.issue({ assigneeAgentId: agent.id });
    expect(await company.runs()).toContainEqual(expect.objectContaining({ agentId: agent.id, issueId }));
  });

  test("invoking is a wake without a subject", async () => {
    const agent = await company.agent();
    const { run, coalesced, skipped } = await ground.board.runs.invoke({ params: { agentId: agent.id } });
    expect({ coalesced, skipped }).toEqual({ coalesced: false, skipped: null });
    expect(run).toMatchObject({ issueId: null, wakes: [{ source: "on_demand", payload: {} }] });
    expect(await company.actions(agent.id)).toEqual(["agent.created", "agent.woken"]);
  });

  test("an agent wakes itself and those below it; its manager, its peers and others it does not", async () => {
    const boss = await company.agent({ name: "Boss" });
    const lead = await company.agent({ name: "Lead", reportsTo: boss.id });
    const hand = await company.agent({ name: "Hand", reportsTo: lead.id });
    const peer = await company.agent({ name: "Peer", reportsTo: boss.id });
    const stranger = await (await ground.company()).agent();
    const asLead = await ground.key(lead.id);
    const asBoss = await ground.key(boss.id);
    const wake = (client: typeof asLead, agentId: string) => client.runs.wakeup({ params: { agentId }, body: {} });
    for (const [client, agentId] of [
      [asLead, lead.id],
      [asLead, hand.id],
      [asBoss, hand.id],
    ] as const) {
      expect((await wake(client, agentId)).run).toMatchObject({ agentId, status: "queued" });
    }
    for (const { id } of [boss, peer]) await ground.refused("forbidden", () => wake(asLead, id));
    await ground.refused("other_company", () => wake(asLead, stranger.id));
    const [, woken] = (await company.log()).filter(({ entityId }) => entityId === hand.id);
    expect(woken).toMatchObject({ action: "agent.woken", actor: { kind: "agent", id: lead.id } });
  });

  test("P9: a run that wakes another goes on with its chain: the same root, one hop more", async () => {
    const own = await ground.company();
    const lead = await own.agent({ name: "Lead" });
    const hand = await own.agent({ name: "Hand", reportsTo: lead.id });
    const runner = await own.runner();
    await ground.wake(lead.id);
    const order = await runner.take();
    await ground.inRun(order).runs.wakeup({ params: { agentId: hand.id }, body: {} });
    const next = await runner.take();
    const entries = await own.log();
    const causeOf = async (runId: string) => {
      const [wake] = (await ground.run(runId)).wakes;
      return entries.find(({ seq }) => seq === wake?.causeSeq);
    };
    const root = await causeOf(order.runId);
    const woken = await causeOf(next.runId);
    expect(root).toMatchObject({ action: "agent.woken", cause: { seq: null, rootSeq: root?.seq, hops: 0 } });
    expect(woken).toMatchObject({
      actor: { kind: "agent", id: lead.id, runId: order.runId },
      cause: { seq: root?.seq, rootSeq: root?.seq, hops: 1 },
    });
    expect(entries.at(-1)).toMatchObject({
      action: "run.claimed",
      cause: { seq: woken?.seq, rootSeq: root?.seq, hops: 2 },
    });
  });

  test("a wake about an issue that is not there, or is another company's, is refused", async () => {
    const agent = await company.agent();
    const { id: foreign } = await (await ground.company()).issue();
    await ground.refused("other_company", () => ground.wake(agent.id, { issueId: foreign }));
    await ground.refused("unknown_reference", () => ground.wake(agent.id, { issueId: agent.id }));
  });
});
