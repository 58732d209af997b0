import type { Client } from "@roster/client";
import type { Agent } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopeIn } from "../../../test/module-door.ts";
import { idleProgram, type RunGround, startRunGround } from "../../../test/run-ground.ts";
import { judging } from "../../interface.ts";
import { judgeBudgets } from "./index.ts";

describe("larger budgets that agents ask for", () => {
  let ground: RunGround;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const judge = async (): Promise<void> => {
    const { database } = ground.server;
    const scope = scopeIn(ground.server, "", { kind: "system" });
    await judgeBudgets({ database, notifier: { notify: () => undefined } }, scope, judging);
  };
  const agentNow = (agentId: string): Promise<Agent> => ground.board.agents.get({ params: { agentId } });
  const raise = (agentId: string, budgetMonthlyCents: number) =>
    ground.board.agents.change({ params: { agentId }, body: { budgetMonthlyCents } });
  const request = (by: Client, companyId: string, payload: { agentId: string; proposedBudgetMonthlyCents: number }) =>
    by.approvals.request({ params: { companyId }, body: { type: "budget_override", payload } });

  test("an agent asks for itself and for those below it; approved, the budget holds at once and the requester is woken", async () => {
    const company = await ground.company();
    const boss = await company.agent({ name: "Boss" });
    const agent = await company.agent({ budgetMonthlyCents: 100, reportsTo: boss.id });
    const client = await ground.key(boss.id);
    const question = await request(client, company.id, { agentId: agent.id, proposedBudgetMonthlyCents: 500 });
    expect(question).toMatchObject({ type: "budget_override", agentId: agent.id, requestedByAgentId: boss.id });
    const own = await ground.key(agent.id);
    const again = { agentId: agent.id, proposedBudgetMonthlyCents: 900 };
    const refusal = await ground.refused("already_exists", () => request(own, company.id, again));
    expect(refusal.fix).toMatchObject({ path: `/api/approvals/${question.id}/comments` });
    await ground.board.approvals.requestRevision({ params: { approvalId: question.id }, body: {} });
    await client.approvals.resubmit({
      params: { approvalId: question.id },
      body: { payload: { proposedBudgetMonthlyCents: 300, reason: "Enough" } },
    });
    const approved = await ground.board.approvals.approve({ params: { approvalId: question.id }, body: {} });
    expect(approved.payload).toMatchObject({ proposedBudgetMonthlyCents: 300, reason: "Enough" });
    expect((await agentNow(agent.id)).budgetMonthlyCents).toBe(300);
    expect((await company.runs()).some(({ agentId }) => agentId === boss.id)).toBe(true);
  });

  test("not for others, not for less, not where there is no limit; a question of its own is not taken back by the service", async () => {
    const company = await ground.company();
    const agent = await company.agent({ budgetMonthlyCents: 100 });
    const free = await company.agent({ name: "Free" });
    const client = await ground.key(agent.id);
    const wish = (agentId: string, proposedBudgetMonthlyCents: number) => () =>
      request(client, company.id, { agentId, proposedBudgetMonthlyCents });
    await ground.refused("forbidden", wish(free.id, 200));
    await ground.refused("wrong_state", wish(agent.id, 100));
    await ground.refused("wrong_state", () =>
      request(ground.board, company.id, { agentId: free.id, proposedBudgetMonthlyCents: 5 }),
    );
    const { agent: pending } = await ground.board.hires.request({
      params: { companyId: company.id },
      body: { name: "Eva", ...idleProgram },
    });
    await ground.refused("agent_pending_approval", () =>
      request(ground.board, company.id, { agentId: pending.id, proposedBudgetMonthlyCents: 5 }),
    );
    const question = await wish(agent.id, 200)();
    await judge();
    const params = { approvalId: question.id };
    expect((await ground.board.approvals.get({ params })).status).toBe("pending");
    await raise(agent.id, 300);
    await ground.refused("wrong_state", () => ground.board.approvals.approve({ params, body: {} }));
    await ground.board.approvals.reject({ params, body: {} });
  });
});
