import type { Client } from "@roster/client";
import type { Issue } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IssueGround, startIssueGround, type Worker } from "../../../test/issue-ground.ts";
import { endsWith, standingOf } from "./checkout.ts";

describe("checkouts", () => {
  let ground: IssueGround;
  beforeAll(async () => {
    ground = await startIssueGround();
  });
  afterAll(() => ground.server.close());

  const checkOut = (issueId: string, { id, client }: Worker, more: object = {}, caller: Client = client) =>
    caller.issues.checkout({ params: { issueId }, body: { agentId: id, ...more } });
  const get = (issueId: string): Promise<Issue> => ground.board.issues.get({ params: { issueId } });
  const longAgo = async (issueId: string, hours: number): Promise<void> => {
    await ground.server.database.driver`
      update issues set checkout_at = checkout_at - make_interval(hours => ${hours}) where id = ${issueId}`;
  };

  test("of ten agents that ask at once, on two servers, one gets the issue, and the others are told who", async () => {
    const sibling = await ground.server.sibling();
    try {
      const workers = await Promise.all(Array.from({ length: 10 }, (_, n) => ground.agent(`Racer ${n}`)));
      const { id: issueId, identifier } = await ground.issue({ title: "Race" });
      const clients = await Promise.all(
        workers.map(async ({ id, client }, n) => {
          const { token } = await ground.board.agentKeys.create({ params: { agentId: id }, body: {} });
          return n % 2 ? sibling.as(token ?? "") : client;
        }),
      );
      const asked = await Promise.allSettled(workers.map((worker, n) => checkOut(issueId, worker, {}, clients[n])));
      const won = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(won).toHaveLength(1);
      const holder = workers.find(({ id }) => id === won[0]?.checkout?.agentId);
      expect(await get(issueId)).toEqual(won[0]);
      expect(won[0]).toMatchObject({ status: "in_progress", assigneeAgentId: holder?.id, checkout: { runId: null } });
      const lost = asked.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
      for (const refusal of lost) {
        const message = expect.stringContaining(holder?.name ?? "nobody");
        expect(refusal).toMatchObject({
          code: "checkout_held",
          details: [{ message }, { message: `is ${holder?.id}` }],
        });
      }
      expect(await ground.logOf(issueId)).toEqual([
        `The board created ${identifier} “Race”`,
        `${holder?.name} checked out ${identifier} “Race” for ${holder?.name}`,
        `${holder?.name} assigned ${identifier} “Race” to ${holder?.name}`,
      ]);
    } finally {
      await sibling.close();
    }
  });

  test("the same agent again gets the same answer, and nothing is written", async () => {
    const ada = await ground.agent("Ada");
    const { id: issueId } = await ground.issue();
    const first = await checkOut(issueId, ada, { expectedStatuses: ["todo"] });
    const log = await ground.logOf(issueId);
    const again = await Promise.all([1, 2, 3].map(() => checkOut(issueId, ada, { expectedStatuses: ["todo"] })));
    expect(again).toEqual([first, first, first]);
    expect(await ground.logOf(issueId)).toEqual(log);
    await ground.board.issues.change({ params: { issueId }, body: { status: "blocked" } });
    expect(await checkOut(issueId, ada)).toMatchObject({ status: "in_progress", checkout: { agentId: ada.id } });
  });

  test("an agent checks out for itself, what is its own or nobody's; the board for anyone", async () => {
    const [ada, bob] = [await ground.agent("Ada B"), await ground.agent("Bob B")];
    const { id: issueId } = await ground.issue({ assigneeAgentId: bob.id });
    await ground.refused("forbidden", () => checkOut(issueId, ada));
    await ground.refused("forbidden", () => checkOut(issueId, ada, {}, bob.client));
    expect(await checkOut(issueId, bob)).toMatchObject({ checkout: { agentId: bob.id } });
    await ground.refused("checkout_held", () => checkOut(issueId, ada, {}, ground.board));
    const free = await ground.issue();
    const taken = await checkOut(free.id, ada, {}, ground.board);
    expect(taken).toMatchObject({ assigneeAgentId: ada.id, checkout: { agentId: ada.id, runId: null } });
  });

  test("a status that was not expected, or that is over, refuses the checkout and tells the present one", async () => {
    const ada = await ground.agent("Ada C");
    const { id: issueId } = await ground.issue({ status: "blocked" });
    const unexpected = () => checkOut(issueId, ada, { expectedStatuses: ["todo", "backlog"] });
    expect((await ground.refused("wrong_state", unexpected)).details).toEqual([
      { path: "status", message: "is blocked", allowed: ["todo", "backlog"] },
    ]);
    const over = await ground.issue({ status: "done" });
    await ground.refused("wrong_state", () => checkOut(over.id, ada));
    await ground.refused("wrong_state", () => checkOut(over.id, ada, { expectedStatuses: ["done"] }));
    await ground.refused("invalid_request", () => checkOut(issueId, ada, { expectedStatuses: [] }));
  });

  test("what is named in a checkout belongs to the same company", async () => {
    const elsewhere = await ground.company("Elsewhere");
    const body = { name: "Eve", adapterType: "process", adapterConfig: { command: "true" } };
    const eve = await ground.board.agents.create({ params: { companyId: elsewhere }, body });
    const { client, id } = await ground.agent("Dan");
    const { id: issueId } = await ground.issue();
    for (const caller of [ground.board, client]) {
      const forAgent = (agentId: string) => caller.issues.checkout({ params: { issueId }, body: { agentId } });
      await ground.refused("other_company", () => forAgent(eve.id));
      await ground.refused("unknown_reference", () => forAgent(issueId));
    }
    const params = { companyId: elsewhere };
    const foreign = await ground.board.issues.create({ params, body: { title: "Foreign" } });
    await ground.refused("other_company", () => checkOut(foreign.id, { id, client, name: "Dan" }));
    await ground.refused("other_company", () => client.issues.release({ params: { issueId: foreign.id } }));
  });

  test("its holder and the board release a checkout, nobody else; what was in progress is to do again", async () => {
    const [ada, bob] = [await ground.agent("Ada D"), await ground.agent("Bob D")];
    const { id: issueId, identifier } = await ground.issue({ title: "Let go" });
    const release = (client: Client) => client.issues.release({ params: { issueId } });
    await checkOut(issueId, ada);
    await ground.refused("forbidden", () => release(bob.client));
    const released = await release(ada.client);
    expect(released).toMatchObject({ checkout: null, status: "todo", assigneeAgentId: ada.id });
    expect(await release(ada.client)).toEqual(released);
    expect((await ground.logOf(issueId)).at(-1)).toBe(`Ada D released ${identifier} “Let go”`);
    await checkOut(issueId, ada);
    await ground.board.issues.change({ params: { issueId }, body: { status: "in_review" } });
    expect(await release(ground.board)).toMatchObject({ checkout: null, status: "in_review" });
  });

  test("a new assignee and the end of the work each end a checkout that has no run", async () => {
    const { board } = ground;
    const [ada, bob] = [await ground.agent("Ada E"), await ground.agent("Bob E")];
    const { id: issueId } = await ground.issue();
    await checkOut(issueId, ada);
    const change = (body: object) => board.issues.change({ params: { issueId }, body });
    expect((await change({ title: "Renamed", status: "blocked" })).checkout).toMatchObject({ agentId: ada.id });
    expect(await change({ assigneeAgentId: bob.id })).toMatchObject({ checkout: null });
    expect(await checkOut(issueId, bob)).toMatchObject({ checkout: { agentId: bob.id } });
    expect(await change({ status: "done" })).toMatchObject({ checkout: null, assigneeAgentId: bob.id });
  });

  test("a checkout without a run has run out after 24 hours, for readers and for whoever asks next", async () => {
    const [ada, bob] = [await ground.agent("Ada F"), await ground.agent("Bob F")];
    const { id: issueId } = await ground.issue();
    const { checkout } = await checkOut(issueId, ada);
    expect(Math.abs(Date.parse(checkout?.at ?? "") - Date.now())).toBeLessThan(60_000);
    await longAgo(issueId, 23);
    expect((await get(issueId)).checkout).toMatchObject({ agentId: ada.id });
    await longAgo(issueId, 2);
    expect((await get(issueId)).checkout).toBeNull();
    const { items } = await ground.board.issues.list({ params: { companyId: ground.companyId } });
    expect(items.find(({ id }) => id === issueId)?.checkout).toBeNull();
    await ground.refused("forbidden", () => checkOut(issueId, bob));
    const renewed = await checkOut(issueId, ada);
    expect(Date.parse(renewed.checkout?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(checkout?.at ?? ""));
    await longAgo(issueId, 25);
    expect(await checkOut(issueId, bob, {}, ground.board)).toMatchObject({ checkout: { agentId: bob.id } });
  });

  test("holding an issue is no change of it: a change based on what was read before goes through", async () => {
    const ada = await ground.agent("Ada G");
    const { id: issueId } = await ground.issue({ status: "in_progress", assigneeAgentId: ada.id });
    await checkOut(issueId, ada);
    const params = { issueId };
    await ground.board.issues.change({ params, body: { title: "Same version" }, ifMatch: 1 });
    await ground.refused("stale_revision", () => ground.board.issues.release({ params, ifMatch: 1 }));
  });
});

const holder = (agentId: string, runId: string | null = null) => ({ agentId, runId });

describe("how a checkout stands to one who asks", () => {
  test.each([
    ["held by nobody", null, holder("ada"), "free"],
    ["its own", holder("ada"), holder("ada"), "own"],
    ["its own, in the same run", holder("ada", "run"), holder("ada", "run"), "own"],
    ["its own in a run, asked with a key", holder("ada", "run"), holder("ada"), "own"],
    ["its own without a run, asked in one", holder("ada"), holder("ada", "run"), "adopted"],
    ["held by another run of its own", holder("ada", "run"), holder("ada", "other run"), "held"],
    ["held by another agent", holder("bob"), holder("ada"), "held"],
    ["held by another agent's run", holder("bob", "run"), holder("ada", "run"), "held"],
  ])("%s", (_, present, asking, expected) => {
    expect(standingOf(present, asking)).toBe(expected);
  });
});

describe("what ends a checkout", () => {
  test.each([
    ["its holder goes on", holder("ada"), { status: "in_review", assigneeAgentId: "ada" }, false],
    ["another is to do it", holder("ada"), { status: "todo", assigneeAgentId: "bob" }, true],
    ["nobody is to do it", holder("ada"), { status: "todo", assigneeAgentId: null }, true],
    ["it is done", holder("ada"), { status: "done", assigneeAgentId: "ada" }, true],
    ["it is cancelled", holder("ada"), { status: "cancelled", assigneeAgentId: "ada" }, true],
    ["a run is at work on what is done", holder("ada", "run"), { status: "done", assigneeAgentId: "ada" }, false],
    ["a run is at work on another's", holder("ada", "run"), { status: "todo", assigneeAgentId: "bob" }, false],
  ] as const)("%s", (_, present, issue, expected) => {
    expect(endsWith(present, issue)).toBe(expected);
  });
});
