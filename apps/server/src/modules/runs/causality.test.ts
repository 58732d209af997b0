import type { Client } from "@roster/client";
import type { Agent, Attention, Run, RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

const bounds = { hops: 4, runs: 6, roots: 3 };

describe("P9: what one cause leads to is bounded", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround({ bounds });
  });
  afterAll(() => ground.close());

  /** Agents by name, of a company in which nothing else is to do. */
  const team = async (...names: string[]): Promise<Agent[]> => {
    company = await ground.company();
    runner = await company.runner();
    const permissions = { canAssignTasks: true, canManageSkills: false, canCreateAgents: false };
    return Promise.all(names.map((name) => company.agent({ name, permissions })));
  };
  const called = async (): Promise<Attention[]> => {
    const { items } = await ground.board.attention.list({ params: { companyId: company.id } });
    return items;
  };
  const waiting = async (): Promise<Run[]> =>
    (await company.runs()).filter(({ waitingFor }) => waitingFor === "cause_exhausted");
  /** Runs whatever may run, each as `act` says, until nothing may; answers the runs. */
  const play = async (act: (client: Client, order: RunOrder) => Promise<unknown>): Promise<string[]> => {
    const played: string[] = [];
    for (;;) {
      const { orders } = await runner.claim();
      const [order] = orders;
      if (order === undefined || played.length > 50) return played;
      await runner.start(order);
      await act(ground.inRun(order), order);
      await runner.settle(order);
      played.push(order.runId);
    }
  };
  const create = (client: Client, body: { title: string; assigneeAgentId: string; parentId?: string }) =>
    client.issues.create({ params: { companyId: company.id }, body });

  test("two agents that always call each other stop after so many wakes, with one call for attention", async () => {
    const [ada, bo] = await team("Ada", "Bo");
    const { id: issueId } = await company.issue({ assigneeAgentId: ada?.id ?? null, status: "backlog" });
    await ground.board.issues.addComment({ params: { issueId }, body: { body: "Go on." } });
    const played = await play((client, { agentId }) =>
      client.issues.addComment({
        params: { issueId },
        body: { body: agentId === ada?.id ? "Your turn, @bo." : "Your turn, @ada." },
      }),
    );
    expect(played).toHaveLength(bounds.hops);
    const [held, ...others] = await waiting();
    expect(others).toEqual([]);
    expect([ada?.id, bo?.id]).toContain(held?.agentId);
    expect(await called()).toMatchObject([
      { kind: "cause_exhausted", entityType: "entry", nextActor: "board", resolvedAt: null },
    ]);
  });

  test("an issue that two agents give each other stops too, and says so once", async () => {
    const [ada, bo] = await team("Ada", "Bo");
    const { id: issueId } = await company.issue({ assigneeAgentId: ada?.id ?? null });
    const played = await play((client, { agentId }) =>
      client.issues.change({
        params: { issueId },
        body: { assigneeAgentId: (agentId === ada?.id ? bo?.id : ada?.id) ?? null },
      }),
    );
    expect(played).toHaveLength(bounds.hops);
    expect(await waiting()).toHaveLength(1);
    expect(await called()).toHaveLength(1);
  });

  test("parts that are made and closed for ever stop too", async () => {
    const [ada, bo] = await team("Ada", "Bo");
    const { id: whole } = await company.issue({ assigneeAgentId: ada?.id ?? null });
    const played = await play(async (client, { agentId }) => {
      if (agentId === ada?.id) {
        await create(client, { title: "A part", assigneeAgentId: bo?.id ?? "", parentId: whole });
        return;
      }
      const { items } = await client.issues.list({
        params: { companyId: company.id },
        query: { assigneeAgentId: bo?.id ?? "", status: "todo" },
      });
      for (const { id: issueId } of items)
        await client.issues.change({ params: { issueId }, body: { status: "done" } });
    });
    expect(played).toHaveLength(bounds.hops);
    expect(await called()).toHaveLength(1);
  });

  /** A run in which an agent gives itself so many issues at once. */
  const fanOut = async (parts: number): Promise<Agent> => {
    const [ada] = await team("Ada");
    if (ada === undefined) expect.fail("there is no agent");
    await ground.wake(ada.id);
    const order = await runner.begin();
    const client = ground.inRun(order);
    const titles = Array.from({ length: parts }, (_, n) => `Part ${n}`);
    await Promise.all(titles.map((title) => create(client, { title, assigneeAgentId: ada.id })));
    await runner.settle(order);
    return ada;
  };

  test("however many are woken at once, no more run of one beginning than may", async () => {
    await fanOut(10);
    expect(await waiting()).toHaveLength(10 - (bounds.runs - 1));
    const calls = await called();
    expect(calls).toHaveLength(1);
    expect(await play(async () => undefined)).toHaveLength(bounds.runs - 1);
    expect(await waiting()).toHaveLength(10 - (bounds.runs - 1));
    const [root] = await ground.sql<{ id: string; runs: number }[]>`
      select root_id as id, count(*)::int as runs from runs
      where company_id = ${company.id} and claimed_at is not null group by 1`;
    expect(root).toEqual({ id: calls[0]?.entityId, runs: bounds.runs });
  });

  test("a run that is released begins anew; the call is taken back when nothing waits any more", async () => {
    await fanOut(bounds.runs + 1);
    const [first, second] = await waiting();
    if (first === undefined || second === undefined) expect.fail("nothing waits");
    const released = await ground.board.runs.release({ params: { runId: first.id } });
    expect(released.waitingFor).toBe("runner");
    expect(await ground.board.runs.release({ params: { runId: first.id } })).toMatchObject({ waitingFor: "runner" });
    expect((await company.actions(first.id)).filter((action) => action === "run.released")).toHaveLength(1);
    expect((await ground.run(first.id)).chain).toMatchObject([{ action: "run.released", hops: 0 }]);
    expect(await called()).toHaveLength(1);
    await ground.board.runs.cancel({ params: { runId: second.id } });
    expect(await called()).toEqual([]);
    expect((await company.log()).map(({ action }) => action)).toContain("attention.resolved");
    await ground.refused("wrong_state", () => ground.board.runs.release({ params: { runId: second.id } }));
    const key = await ground.key(first.agentId);
    await ground.refused("forbidden", () => key.runs.release({ params: { runId: first.id } }));
  });

  test("new input from outside frees what waits for the same work", async () => {
    await fanOut(bounds.runs);
    const [held] = await waiting();
    if (held === undefined) expect.fail("nothing waits");
    const issueId = held.issueId ?? "";
    await ground.board.issues.addComment({ params: { issueId }, body: { body: "Go on, please." } });
    const freed = await ground.run(held.id);
    expect(freed).toMatchObject({ status: "queued", waitingFor: "runner" });
    expect(freed.wakes.map(({ source }) => source)).toEqual(["assignment", "comment"]);
    expect(freed.chain.map(({ action }) => action)).toEqual(["agent.woken", "comment.created"]);
    expect(await called()).toEqual([]);
  });

  test("what an agent that is terminated has waiting calls for nobody any more", async () => {
    const { id: agentId } = await fanOut(bounds.runs + 2);
    expect(await called()).toHaveLength(1);
    await ground.board.agents.terminate({ params: { agentId } });
    expect(await waiting()).toEqual([]);
    expect(await called()).toEqual([]);
  });

  test("a run says what led to it, back to what began it", async () => {
    const [ada, bo] = await team("Ada", "Bo");
    const { id: issueId, identifier } = await company.issue({ assigneeAgentId: ada?.id ?? null });
    await play((client, { agentId }) =>
      agentId === ada?.id
        ? client.issues.addComment({ params: { issueId }, body: { body: "Help me, @bo." } })
        : Promise.resolve(),
    );
    const run = (await company.runs()).find(({ agentId }) => agentId === bo?.id);
    const { chain, wakes } = await ground.run(run?.id ?? "");
    expect(chain.map(({ action, hops }) => [action, hops])).toEqual([
      ["agent.woken", 1],
      ["comment.created", 1],
      ["agent.woken", 0],
      ["issue.assigned", 0],
      ["issue.created", 0],
    ]);
    expect(chain.at(-1)?.sentence).toBe(`created ${identifier} “An issue”`);
    expect(chain[1]?.seq).toBe(wakes[0]?.causeSeq);
    const entries = await company.log();
    const created = entries.find(({ action }) => action === "issue.created");
    expect(
      new Set(entries.filter(({ seq }) => chain.some((link) => link.seq === seq)).map(({ cause }) => cause.rootSeq)),
    ).toEqual(new Set([created?.seq]));
  });

  describe("with an agent's key", () => {
    const rootOf = async (issueId: string): Promise<number | undefined> =>
      (await company.log()).find(({ action, entityId }) => action === "issue.created" && entityId === issueId)?.cause
        .rootSeq;

    test("an agent that loops outside of runs stops, also when it does many things at once", async () => {
      const [ada] = await team("Ada");
      const assigneeAgentId = ada?.id ?? "";
      const key = await ground.key(assigneeAgentId);
      const titles = Array.from({ length: 8 }, (_, n) => `Thought ${n}`);
      await Promise.all(titles.map((title) => create(key, { title, assigneeAgentId })));
      expect(await waiting()).toHaveLength(8 - bounds.roots);
      for (const title of titles) await create(key, { title, assigneeAgentId });
      expect(await waiting()).toHaveLength(16 - bounds.roots);
      const before = (await called()).length;
      expect(before).toBeGreaterThan(0);
      for (const title of titles) await create(key, { title, assigneeAgentId });
      expect(await called()).toHaveLength(before);
    });

    test("what it does one after the other beyond that belongs to the last that it began, with one call", async () => {
      const [ada] = await team("Ada");
      const assigneeAgentId = ada?.id ?? "";
      const key = await ground.key(assigneeAgentId);
      const made: (number | undefined)[] = [];
      for (let n = 0; n < bounds.roots + 3; n += 1) {
        made.push(await rootOf((await create(key, { title: `Thought ${n}`, assigneeAgentId })).id));
      }
      expect(new Set(made).size).toBe(bounds.roots);
      expect(new Set(made.slice(bounds.roots - 1)).size).toBe(1);
      expect(await called()).toHaveLength(1);
      expect(await waiting()).toHaveLength(3);
    });

    test("what it does during a run, or soon after, belongs to what led to the run", async () => {
      const [ada] = await team("Ada");
      const agentId = ada?.id ?? "";
      const key = await ground.key(agentId);
      const { id: runId } = await ground.wake(agentId);
      const write = async () => rootOf((await create(key, { title: "Idea", assigneeAgentId: agentId })).id);
      const order = await runner.begin();
      const began = (await ground.run(runId)).chain.at(-1)?.seq;
      expect(await write()).toBe(began);
      await runner.settle(order);
      expect(await write()).toBe(began);
      await ground.sql`update runs set finished_at = finished_at - interval '61 minutes' where id = ${runId}`;
      expect(await write()).not.toBe(began);
    });

    test("it costs no statement: it is asked for with the holder of the key", async () => {
      const [ada] = await team("Ada");
      const key = await ground.key(ada?.id ?? "");
      const { id: issueId } = await company.issue();
      /** The fewest statements of some calls: what servers do by themselves falls between some of them. */
      const fewest = async (call: () => Promise<unknown>): Promise<number> => {
        const counts: number[] = [];
        for (let n = 0; n < 8; n += 1) {
          const before = ground.server.database.statements.count;
          await call();
          counts.push(ground.server.database.statements.count - before);
        }
        return Math.min(...counts);
      };
      expect(await fewest(() => key.agents.me())).toBe(2);
      const say = (client: Client) => () => client.issues.addComment({ params: { issueId }, body: { body: "Hm." } });
      await ground.wake(ada?.id ?? "");
      const order = await runner.begin();
      expect(await fewest(say(key))).toBe(await fewest(say(ground.inRun(order))));
    });
  });
});
