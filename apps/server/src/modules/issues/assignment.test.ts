import { localBoardUserId } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IssueGround, startIssueGround, type Worker } from "../../../test/issue-ground.ts";
import { assigneeAfter, nobody } from "./assignment.ts";

const nobodysId = "0198f000-0000-7000-8000-00000000dead";

describe("assigning issues", () => {
  let ground: IssueGround;
  beforeAll(async () => {
    ground = await startIssueGround();
  });
  afterAll(() => ground.server.close());

  const assign = (issueId: string, assigneeAgentId: string | null, caller = ground.board) =>
    caller.issues.change({ params: { issueId }, body: { assigneeAgentId } });
  const setStatus = async ({ id }: Worker, status: string, pauseReason: string | null = null): Promise<void> => {
    await ground.server.database.driver`
      update agents set status = ${status}, pause_reason = ${pauseReason} where id = ${id}`;
  };

  test("the log names who an issue is given to, at its creation and later; an assignee is one", async () => {
    const ada = await ground.agent("Ada");
    const { id: issueId, identifier } = await ground.issue({ title: "Work", assigneeAgentId: ada.id });
    const change = (body: object) => ground.board.issues.change({ params: { issueId }, body });
    const person = { assigneeAgentId: null, assigneeUserId: localBoardUserId };
    expect(await change({ assigneeUserId: localBoardUserId })).toMatchObject(person);
    expect(await change({ assigneeAgentId: null })).toMatchObject(person);
    expect(await change({ assigneeAgentId: ada.id })).toMatchObject({ assigneeAgentId: ada.id, assigneeUserId: null });
    expect(await change({ assigneeAgentId: null })).toMatchObject({ assigneeAgentId: null, assigneeUserId: null });
    const both = { assigneeAgentId: ada.id, assigneeUserId: localBoardUserId };
    await ground.refused("invalid_request", () => change(both));
    const name = `${identifier} “Work”`;
    expect(await ground.logOf(issueId)).toEqual([
      `The board created ${name}`,
      `The board assigned ${name} to Ada`,
      `The board assigned ${name} to the board`,
      `The board assigned ${name} to Ada`,
      `The board assigned ${name} to nobody`,
    ]);
  });

  test("an agent that is pending, paused by the board or terminated gets no work by any way, and nothing is written", async () => {
    const { board, companyId } = ground;
    const { id: issueId } = await ground.issue();
    const states = {
      agent_pending_approval: ["pending_approval", null],
      agent_paused: ["paused", "board"],
      agent_terminated: ["terminated", null],
    } as const;
    for (const [code, [status, reason]] of Object.entries(states)) {
      const worker = await ground.agent(`Agent ${status}`);
      await setStatus(worker, status, reason);
      const refusal = code as keyof typeof states;
      const body = { title: "For nobody", assigneeAgentId: worker.id };
      await ground.refused(refusal, () => board.issues.create({ params: { companyId }, body }));
      await ground.refused(refusal, () => assign(issueId, worker.id));
      await ground.refused(refusal, () => board.issues.checkout({ params: { issueId }, body: { agentId: worker.id } }));
    }
  });

  test("an agent that its budget paused can be given work, and what a paused agent has stays changeable", async () => {
    const worker = await ground.agent("Spent");
    await setStatus(worker, "paused", "budget");
    const { id: issueId } = await ground.issue({ assigneeAgentId: worker.id });
    await setStatus(worker, "paused", "board");
    const body = { title: "Renamed", assigneeAgentId: worker.id };
    expect(await ground.board.issues.change({ params: { issueId }, body })).toMatchObject(body);
  });

  test("another company's agent is refused, and so is one that nobody has", async () => {
    const elsewhere = await ground.company("Elsewhere");
    const body = { name: "Eve", adapterType: "process", adapterConfig: { command: "true" } };
    const eve = await ground.board.agents.create({ params: { companyId: elsewhere }, body });
    const { client } = await ground.agent("Bob", { permissions: { canAssignTasks: true } });
    const { id: issueId } = await ground.issue();
    const { companyId } = ground;
    for (const caller of [ground.board, client]) {
      const create = (more: object) => caller.issues.create({ params: { companyId }, body: { title: "x", ...more } });
      await ground.refused("other_company", () => create({ assigneeAgentId: eve.id }));
      await ground.refused("unknown_reference", () => create({ assigneeAgentId: nobodysId }));
      await ground.refused("unknown_reference", () => create({ assigneeUserId: nobodysId }));
      await ground.refused("other_company", () => assign(issueId, eve.id, caller));
      await ground.refused("unknown_reference", () => assign(issueId, nobodysId, caller));
    }
  });

  test("an agent gives work to itself and down its reporting line, and to others only with canAssignTasks", async () => {
    const { companyId } = ground;
    const boss = await ground.agent("Boss");
    const lead = await ground.agent("Lead", { reportsTo: boss.id });
    const worker = await ground.agent("Worker", { reportsTo: lead.id });
    const peer = await ground.agent("Peer");
    const planner = await ground.agent("Planner", { permissions: { canAssignTasks: true } });
    const create = ({ client }: Worker, assignee: object) =>
      client.issues.create({ params: { companyId }, body: { title: "Do it", ...assignee } });
    for (const { id: assigneeAgentId } of [boss, lead, worker]) {
      expect(await create(boss, { assigneeAgentId })).toMatchObject({ assigneeAgentId });
    }
    for (const { id: assigneeAgentId } of [boss, lead, worker, peer]) {
      expect(await create(planner, { assigneeAgentId })).toMatchObject({ assigneeAgentId });
    }
    await ground.refused("forbidden", () => create(worker, { assigneeAgentId: boss.id }));
    await ground.refused("forbidden", () => create(boss, { assigneeAgentId: peer.id }));
    await ground.refused("forbidden", () => create(boss, { assigneeUserId: localBoardUserId }));
    expect(await create(planner, { assigneeUserId: localBoardUserId })).toMatchObject({ assigneeAgentId: null });
  });

  test("an agent takes work from nobody but itself and those who report to it", async () => {
    const lead = await ground.agent("Second lead");
    const worker = await ground.agent("Second worker", { reportsTo: lead.id });
    const peer = await ground.agent("Second peer");
    const free = await ground.issue();
    expect(await assign(free.id, peer.id, peer.client)).toMatchObject({ assigneeAgentId: peer.id });
    await ground.refused("forbidden", () => assign(free.id, lead.id, lead.client));
    await ground.refused("forbidden", () => assign(free.id, null, lead.client));
    expect(await assign(free.id, null, peer.client)).toMatchObject({ assigneeAgentId: null });
    const given = await ground.issue({ assigneeAgentId: worker.id });
    await ground.refused("forbidden", () => assign(given.id, null, peer.client));
    expect(await assign(given.id, lead.id, lead.client)).toMatchObject({ assigneeAgentId: lead.id });
    const boards = await ground.issue({ assigneeUserId: localBoardUserId });
    await ground.refused("forbidden", () => assign(boards.id, peer.id, peer.client));
  });
});

describe("the assignee after a wish", () => {
  const agent = { assigneeAgentId: "agent", assigneeUserId: null };
  const person = { assigneeAgentId: null, assigneeUserId: "person" };
  test.each([
    ["nothing named", agent, {}, agent],
    ["another agent", agent, { assigneeAgentId: "other" }, { ...agent, assigneeAgentId: "other" }],
    ["a person instead", agent, { assigneeUserId: "person" }, person],
    ["an agent instead", person, { assigneeAgentId: "agent" }, agent],
    ["no agent", agent, { assigneeAgentId: null }, nobody],
    ["no person, where an agent has it", agent, { assigneeUserId: null }, agent],
    ["no agent, where a person has it", person, { assigneeAgentId: null }, person],
    ["a person and no agent", agent, { assigneeAgentId: null, assigneeUserId: "person" }, person],
    ["an agent and no person", person, { assigneeAgentId: "agent", assigneeUserId: null }, agent],
    ["nobody", agent, { assigneeAgentId: null, assigneeUserId: null }, nobody],
  ])("%s", (_, present, wish, expected) => {
    expect(assigneeAfter(present, wish)).toEqual(expected);
  });
});
