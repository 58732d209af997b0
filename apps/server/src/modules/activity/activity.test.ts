import { actions, sentenceOf } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

describe("the activity log", () => {
  let server: TestServer;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer();
    companyId = (await server.board.companies.create({ body: { name: "Logged" } })).id;
  });
  afterAll(() => server.close());

  const create = (name: string) =>
    server.board.agents.create({
      params: { companyId },
      body: { name, adapterType: "process", adapterConfig: { command: "true" } },
    });

  test("P2: the actor comes from the credential: an agent's entry names the agent", async () => {
    const agent = await create("Scribe");
    const { token } = await server.board.agentKeys.create({ params: { agentId: agent.id }, body: {} });
    await server.as(token ?? "").agentKeys.create({ params: { agentId: agent.id }, body: { name: "second" } });
    const { items } = await server.board.activity.list({ params: { companyId }, query: { limit: 1 } });
    expect(items[0]).toMatchObject({ actor: { kind: "agent", id: agent.id, name: "Scribe" } });
    expect(items[0]?.sentence).toMatch(/^Scribe created the key second/);
  });

  test("entries are found by actor, by entity, by action and by agent, whoever acted", async () => {
    const agent = await create("Found");
    const { token } = await server.board.agentKeys.create({ params: { agentId: agent.id }, body: {} });
    await server.as(token ?? "").agentKeys.create({ params: { agentId: agent.id }, body: {} });
    const list = async (query: Record<string, string>): Promise<string[]> =>
      (await server.board.activity.list({ params: { companyId }, query })).items.map(({ action }) => action);
    expect(await list({ actor: agent.id })).toEqual(["agent_key.created"]);
    expect(await list({ entityId: agent.id })).toEqual(["agent.created"]);
    expect(await list({ agentId: agent.id })).toEqual(["agent_key.created", "agent.created"]);
    expect(await list({ action: "company.created" })).toEqual(["company.created"]);
    expect(await list({ entityType: "company" })).toEqual(["company.created"]);
  });

  test("P1: a filter by what is another company's is refused, by what is nobody's finds nothing", async () => {
    const { id: elsewhere } = await server.board.companies.create({ body: { name: "Elsewhere" } });
    const body = { name: "Foreign", adapterType: "process", adapterConfig: { command: "true" } };
    const { id: agentId } = await server.board.agents.create({ params: { companyId: elsewhere }, body });
    const issue = await server.board.issues.create({ params: { companyId: elsewhere }, body: { title: "Foreign" } });
    const list = (query: object) => server.board.activity.list({ params: { companyId }, query });
    for (const query of [{ agentId }, { actor: agentId }, { entityId: agentId }, { entityId: issue.id }]) {
      await expect(list(query)).rejects.toMatchObject({ status: 403, code: "other_company" });
    }
    for (const name of ["agentId", "actor", "entityId"]) {
      expect((await list({ [name]: crypto.randomUUID() })).items).toEqual([]);
    }
  });

  test("two filters together find what both mean, however much one of them alone would find", async () => {
    const agent = await create("Busy");
    await server.board.agents.pause({ params: { agentId: agent.id } });
    for (const title of ["a", "b", "c"])
      await server.board.agents.change({ params: { agentId: agent.id }, body: { title } });
    const query = { agentId: agent.id, action: "agent.paused", limit: 2 };
    const { items } = await server.board.activity.list({ params: { companyId }, query });
    expect(items.map(({ action }) => action)).toEqual(["agent.paused"]);
  });

  test("after lists ascending and goes on through every page without a gap", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await create(name);
    const seqs: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { after: 2, limit: 2, ...(cursor !== undefined && { cursor }) };
      const page = await server.board.activity.list({ params: { companyId }, query });
      seqs.push(...page.items.map(({ seq }) => seq));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(seqs).toEqual(seqs.map((_, index) => index + 3));
    expect(seqs.length).toBeGreaterThan(4);
  });
});

test("every action of the log reads as a sentence without holes", () => {
  for (const [action, { details, sentence }] of Object.entries(actions)) {
    const fields = Object.keys(details.shape);
    const named = [...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    expect(fields, action).toEqual(expect.arrayContaining(named));
    expect(sentenceOf(action, Object.fromEntries(fields.map((field) => [field, "x"])))).not.toMatch(/[{}]/);
  }
});
