import { allOperations, type BodyInput, type Contract, pageLimit } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

const program = { adapterType: "process", adapterConfig: { command: "true" } } as const;
const [minutesOfAToken, hoursOfAKey] = [10, 24];

let server: TestServer;
let companyId: string;
beforeAll(async () => {
  server = await startTestServer();
  companyId = (await server.board.companies.create({ body: { name: "Conventional" } })).id;
});
afterAll(() => server.close());

const params = () => ({ companyId });
const agent = (more: Partial<BodyInput<Contract["agents"]["create"]>> = {}) =>
  server.board.agents.create({ params: params(), body: { name: "Ada", ...program, ...more } });
const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

describe("the endpoints of the specification", () => {
  const endpoints = [
    "GET /llms/agent-configuration.txt",
    "GET /llms/agent-configuration/:adapterType.txt",
    "GET /llms/agent-icons.txt",
    "GET /api/companies/:companyId/agent-configurations",
    "GET /api/companies/:companyId/skills",
    "POST /api/companies/:companyId/skills/import",
    "POST /api/companies/:companyId/agent-hires",
    "POST /api/companies/:companyId/agents",
    "GET /api/agents/me",
    "GET /api/agents/:agentId/configuration",
    "POST /api/agents/:agentId/skills/sync",
    "GET /api/agents/:agentId/config-revisions",
    "POST /api/agents/:agentId/config-revisions/:revisionId/rollback",
    "POST /api/agents/:agentId/keys",
    "POST /api/issues/:issueId/approvals",
    "GET /api/approvals/:approvalId/issues",
    "GET /api/approvals/:approvalId",
    "POST /api/approvals/:approvalId/request-revision",
    "POST /api/approvals/:approvalId/resubmit",
    "GET /api/approvals/:approvalId/comments",
    "POST /api/approvals/:approvalId/comments",
  ];
  const routes = allOperations().map(({ operation: { method, path } }) => `${method} ${path}`);

  test.each(endpoints)("are there under their method and path: %s", (endpoint) => {
    expect(routes).toContain(endpoint);
  });

  test("and all that is no document and no sign of life is under /api", () => {
    const others = routes.filter((route) => !/ \/api\//.test(route));
    const allowed = /^GET (\/|\/livez|\/readyz|\/metrics|\/llms\.txt|\/llms\/[\w/:-]+\.txt)$/;
    expect(others.filter((route) => !allowed.test(route))).toEqual([]);
  });
});

describe("lists", () => {
  const lists = allOperations().filter(({ operation }) => operation.answer.kind === "page");
  const long = ["agents.list", "configurations.list", "members.listNames", "skills.list"];

  test.each(lists)(
    "hold 50, or where they are read whole 200, unless asked otherwise, and never more than 200: $name",
    ({ name, operation: { query } }) => {
      const limitOf = (given: object) => query?.safeParse(given).data?.["limit"];
      expect(limitOf({})).toBe(long.includes(name) ? 200 : 50);
      expect(limitOf({ limit: "1" })).toBe(1);
      expect(limitOf({ limit: String(pageLimit) })).toBe(200);
      for (const limit of ["0", "201", "x"]) expect(limitOf({ limit })).toBeUndefined();
    },
  );

  test("the fifty-first item is on the page that Link leads to", async () => {
    const { id } = await server.board.companies.create({ body: { name: "Busy" } });
    for (let n = 0; n < 51; n += 1) {
      await server.board.issues.create({ params: { companyId: id }, body: { title: `${n}` } });
    }
    const first = await get(`/api/companies/${id}/issues`);
    expect(await first.json()).toHaveLength(50);
    const [, next = ""] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? [];
    const second = await get(next);
    expect(await second.json()).toHaveLength(1);
    expect(second.headers.get("link")).toBeNull();
  });
});

test("ids are UUIDv7, in the order in which they were made; times are UTC with milliseconds", async () => {
  const [first, second] = [await agent(), await agent()];
  for (const { id } of [first, second]) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(first.id < second.id).toBe(true);
  for (const time of [first.createdAt, first.updatedAt]) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});

describe("an ETag", () => {
  const etagOf = async (path: string): Promise<string | null> => (await get(path)).headers.get("etag");

  test("is a number in quotes, raised by edits, not by what state an agent is in", async () => {
    const { id: agentId } = await agent();
    const at = { params: { agentId } };
    const path = `/api/agents/${agentId}`;
    expect(await etagOf(path)).toBe('"1"');
    expect(await etagOf(`${path}/configuration`)).toBe('"1"');
    await server.board.agents.pause(at);
    await server.board.agents.resume(at);
    expect(await etagOf(path)).toBe('"1"');
    await server.board.agents.change({ ...at, body: { title: "Clerk" } });
    expect(await etagOf(path)).toBe('"2"');
  });

  test("of an approval is raised by a new payload and by each state", async () => {
    const { approval } = await server.board.hires.request({ params: params(), body: { name: "Eva", ...program } });
    const at = { params: { approvalId: approval?.id ?? "" } };
    const path = `/api/approvals/${approval?.id}`;
    const seen = [await etagOf(path)];
    await server.board.approvals.requestRevision({ ...at, body: {} });
    seen.push(await etagOf(path));
    await server.board.approvals.resubmit({ ...at, body: { payload: { title: "Clerk" } } });
    seen.push(await etagOf(path));
    await server.board.approvals.comment({ ...at, body: { body: "Better." } });
    expect([...seen, await etagOf(path)]).toEqual(['"1"', '"2"', '"3"', '"3"']);
  });

  test("is for If-Match alone: no list has one, and nothing is ever 304", async () => {
    expect(await etagOf(`/api/companies/${companyId}/agents`)).toBeNull();
    const path = `/api/companies/${companyId}`;
    const again = await get(path, { "if-none-match": (await etagOf(path)) ?? "" });
    expect(again.status).toBe(200);
  });
});

describe("an Idempotency-Key", () => {
  const age = (by: string) => server.database.driver`
    update idempotency_keys set created_at = created_at - ${by}::interval`;

  test("holds on every server, whatever happened to the one that answered first", async () => {
    const sibling = await server.sibling();
    const call = { params: params(), body: { title: "Once" }, idempotencyKey: "across" };
    const first = await sibling.board.issues.create(call);
    await sibling.close();
    expect(await server.board.issues.create(call)).toEqual(first);
  });

  test("repeats a token for ten minutes, the rest of the answer for 24 hours, and is new after that", async () => {
    const { id: agentId } = await agent();
    const create = () =>
      server.board.agentKeys.create({ params: { agentId }, body: { name: "laptop" }, idempotencyKey: "key" });
    const first = await create();
    await age(`${minutesOfAToken - 1} minutes`);
    expect(await create()).toEqual(first);
    await age("2 minutes");
    expect(await create()).toEqual({ ...first, token: null });
    await age(`${hoursOfAKey - 1} hours`);
    expect((await create()).id).toBe(first.id);
    await age("1 hour");
    const anew = await create();
    expect(anew.id).not.toBe(first.id);
    expect(anew.token).toMatch(/^svk_/);
  });

  test("is not kept itself, nor the token that came with the answer", async () => {
    const { id: agentId } = await agent();
    const body = { name: "a name to look for" };
    const key = "a-key-to-look-for";
    const { token } = await server.board.agentKeys.create({ params: { agentId }, body, idempotencyKey: key });
    const rows = await server.database.driver<{ row: string }[]>`select k::text as row from idempotency_keys k`;
    const kept = rows.map(({ row }) => row).join("\n");
    expect(kept).not.toContain(key);
    expect(kept).not.toContain(token?.split("_")[2]);
  });
});

test("while the database is away: 503 with the time to wait, the process alive and not ready, and no cause told", async () => {
  const cut = await server.sibling();
  await cut.database.close();
  for (const path of [`/api/companies/${companyId}`, "/readyz"]) {
    const answer = await fetch(cut.url + path);
    expect({ path, status: answer.status, wait: answer.headers.get("retry-after") }).toEqual({
      path,
      status: 503,
      wait: "1",
    });
    expect(await answer.json()).toMatchObject({ code: "overloaded", details: [] });
  }
  expect((await fetch(`${cut.url}/livez`)).status).toBe(200);
  expect(await cut.board.service.health()).toMatchObject({ status: "unavailable", database: "unavailable" });
  expect(await server.board.service.health()).toMatchObject({ status: "ok", database: "ok", mode: "local_trusted" });
  expect(await server.board.service.readyz()).toBe("ok\n");
  await cut.close();
});

test("no operation writes the log: what is under activity is read only", () => {
  const paths = allOperations().filter(({ operation }) => operation.path.includes("/activity"));
  expect(paths.length).toBeGreaterThan(1);
  expect(paths.filter(({ operation }) => operation.method !== "GET")).toEqual([]);
});
