import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

/** As many connections as a test server has for changes. */
const connections = 5;

describe("a server that has too much to do", () => {
  let server: TestServer;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer({ patienceMs: 500 });
    ({ id: companyId } = await server.board.companies.create({ body: { name: "Acme" } }));
  });
  afterAll(() => server.close());

  const createIssue = (title: string) =>
    fetch(`${server.url}/api/companies/${companyId}/issues`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title }),
    });
  const titles = async (): Promise<string[]> =>
    (await server.board.issues.list({ params: { companyId } })).items.map(({ title }) => title);

  async function expectOverloaded(answer: Response): Promise<void> {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: "overloaded" });
  }

  /** Holds every connection for changes until the returned is called. */
  async function holdConnections(): Promise<() => Promise<void>> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held: Promise<void>[] = [];
    for (let n = 0; n < connections; n += 1) {
      await new Promise<void>((begun) => {
        held.push(
          server.database.transaction(() => {
            begun();
            return released;
          }),
        );
      });
    }
    return async () => {
      release();
      await Promise.all(held);
    };
  }

  test("refuses a change for which no connection comes free in time; nothing of it happens, and what reads goes on", async () => {
    const release = await holdConnections();
    await expectOverloaded(await createIssue("Too many"));
    expect(await titles()).toEqual([]);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await release();
    expect((await createIssue("Room again")).status).toBe(201);
    expect(await titles()).toEqual(["Room again"]);
  });

  test("refuses a change that waits too long for another to end", async () => {
    await server.database.driver.begin(async (other) => {
      await other`select from activity_heads where company_id = ${companyId} for update`;
      await expectOverloaded(await createIssue("In the way"));
    });
    expect((await createIssue("Free again")).status).toBe(201);
    expect(await titles()).toEqual(["Free again", "Room again"]);
  });
});
