import { type ActivityEntry, instanceId } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longLog } from "../../../test/long-log.ts";
import { claim, invited } from "../../../test/people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { newId } from "../../platform/ids.ts";

const collected = async (entries: AsyncIterable<ActivityEntry>): Promise<ActivityEntry[]> => {
  const all: ActivityEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
};

describe("the export of the activity log", () => {
  let server: TestServer;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer();
    companyId = (await server.board.companies.create({ body: { name: "Exported" } })).id;
    await longLog(server, companyId, "Exported").add(1_234);
  });
  afterAll(() => server.close());

  type Filter = { readonly [name: string]: string | number };
  const exported = (query: Filter = {}) => collected(server.board.activity.export({ params: { companyId }, query }));
  const listed = (query: Filter = {}) =>
    collected(server.board.activity.list.all({ params: { companyId }, query: { after: 0, limit: 200, ...query } }));

  test("holds every entry once, oldest first, as the list shows it, however long the log is", async () => {
    const entries = await exported();
    expect(entries.length).toBeGreaterThan(1_234);
    expect(entries).toEqual(await listed());
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  });

  test("takes what the list takes: filters, and where to begin", async () => {
    const [first] = await exported({ after: 10 });
    expect(first?.seq).toBe(11);
    const { entityId = "", actor } = first ?? {};
    for (const filter of [
      { entityId },
      { action: "agent.resumed" },
      { entityType: "runner", after: 600 },
      { actor: actor?.id ?? "", action: "company.created" },
      { agentId: entityId },
      { after: 10_000 },
    ]) {
      expect(await exported(filter), JSON.stringify(filter)).toEqual(await listed(filter));
    }
  });

  test("ends with the newest entry there was when it began", async () => {
    const reading = server.board.activity.export({ params: { companyId } });
    const first: ActivityEntry[] = [(await reading.next()).value];
    const [newest] = (await server.board.activity.list({ params: { companyId } })).items;
    await longLog(server, companyId, "Exported").add(3);
    expect([...first, ...(await collected(reading))].at(-1)?.seq).toBe(newest?.seq);
  });

  test("comes as lines of JSON, each ended", async () => {
    const answer = await fetch(`${server.url}/api/companies/${companyId}/activity/export?after=1200`);
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const lines = (await answer.text()).split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line))).toEqual(await listed({ after: 1_200 }));
  });

  test("P1: is refused where it is filtered by an agent of another company, before anything is sent", async () => {
    const other = await server.board.companies.create({ body: { name: "Other" } });
    const body = { name: "Stranger", adapterType: "process", adapterConfig: { command: "true" } };
    const { id: agentId } = await server.board.agents.create({ params: { companyId: other.id }, body });
    await expect(exported({ agentId })).rejects.toMatchObject({ status: 403, code: "other_company" });
    expect(await exported({ agentId: newId() })).toEqual([]);
  });

  test("of the deployment's own log holds what happened to the deployment", async () => {
    const { activity } = server.board;
    await longLog(server, instanceId, "Roster").add(5);
    const entries = await collected(activity.exportInstance());
    expect(entries).toEqual(await collected(activity.listInstance.all({ query: { after: 0 } })));
    expect(entries.length).toBeGreaterThan(4);
  });
});

test("the export is for owners and admins, and for nobody else", async () => {
  const server = await startTestServer({ mode: "authenticated" });
  try {
    const owner = await claim(server);
    const { id: companyId } = await owner.client.companies.create({ body: { name: "Guarded" } });
    const [admin, operator, viewer] = await Promise.all(
      (["admin", "operator", "viewer"] as const).map((role) =>
        invited(server, owner.client, { companyId, role, email: `${role}@example.com` }),
      ),
    );
    const body = { name: "Ada", adapterType: "process", adapterConfig: { command: "true" } };
    const { id: agentId } = await owner.client.agents.create({ params: { companyId }, body });
    const { token } = await owner.client.agentKeys.create({ params: { agentId }, body: {} });
    const exported = (client = owner.client) => collected(client.activity.export({ params: { companyId } }));
    for (const client of [owner.client, admin?.client]) {
      expect((await exported(client)).map(({ action }) => action)).toContain("agent.created");
    }
    for (const client of [operator?.client, viewer?.client, server.as(token ?? "")]) {
      await expect(exported(client)).rejects.toMatchObject({ status: 403, code: "forbidden" });
      expect((await client?.activity.list({ params: { companyId } }))?.items.length).toBeGreaterThan(0);
    }
    const asOperator = operator?.client.activity.exportInstance();
    await expect(asOperator?.next()).rejects.toMatchObject({ status: 403, code: "forbidden" });
  } finally {
    await server.close();
  }
});
