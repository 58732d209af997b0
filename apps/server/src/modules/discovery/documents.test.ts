import { adapterSpecs } from "@roster/adapters/specs";
import { type AgentProposal, agentIcons } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { cutExample } from "./example-fence.ts";

describe("the discovery documents", () => {
  let server: TestServer;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer();
    companyId = (await server.board.companies.create({ body: { name: "Readers" } })).id;
  });
  afterAll(() => server.close());

  const texts = async (): Promise<string[]> => [
    await server.board.discovery.agentConfiguration(),
    ...(await Promise.all(
      adapterSpecs.map(({ type }) => server.board.discovery.adapter({ params: { adapterType: type } })),
    )),
  ];

  test("the example of every document is accepted as it stands by the hire route", async () => {
    for (const text of await texts()) {
      const body = cutExample(text) as AgentProposal;
      const { agent, approval } = await server.board.hires.request({ params: { companyId }, body });
      expect([agent.status, approval?.status]).toEqual(["pending_approval", "pending"]);
    }
  });

  test("every link of the index leads to a document", async () => {
    const index = await server.board.discovery.index();
    const links = [...index.matchAll(/\]\((http[^)]+\.txt)\)/g)].map((match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(adapterSpecs.length);
    for (const link of links) {
      const response = await fetch(link);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    }
  });

  test("an unknown adapter type is refused in plain text that lists the known ones", async () => {
    const response = await fetch(`${server.url}/llms/agent-configuration/proces.txt`);
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
    for (const { type } of adapterSpecs) expect(text).toContain(type);
    expect(text).toContain(`request: ${response.headers.get("x-request-id")}`);
  });

  test("an agent reads them with its credential, and a bad credential does not", async () => {
    const [agent] = (await server.board.agents.list({ params: { companyId } })).items;
    await server.board.approvals.approve({
      params: { approvalId: (await server.board.approvals.list({ params: { companyId } })).items[0]?.id ?? "" },
      body: {},
    });
    const { token } = await server.board.agentKeys.create({ params: { agentId: agent?.id ?? "" }, body: {} });
    expect((await server.as(token ?? "").discovery.icons()).split("\n")).toEqual(
      expect.arrayContaining([...agentIcons]),
    );
    await expect(server.as("svk_no").discovery.icons()).rejects.toMatchObject({ status: 401 });
  });
});
