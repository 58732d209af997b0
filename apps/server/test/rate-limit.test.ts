import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { registerRunner } from "../src/index.ts";
import { claim, type Person } from "./people.ts";
import { startTestServer, type TestOptions, type TestServer } from "./test-server.ts";

/** No window ends while a test lasts. */
const windowSec = 3600;
const probes = ["/api/health", "/livez", "/readyz"];

interface Seen {
  readonly status: number;
  readonly policy: string | null;
  readonly left: string | null;
  readonly retryAfter: number;
  readonly restSec: number;
  readonly code: string | undefined;
}

async function seen(answer: Response): Promise<Seen> {
  const limit = answer.headers.get("ratelimit");
  const [, left, rest] = /^"\w+";r=(\d+);t=(\d+)$/.exec(limit ?? "") ?? [];
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const { code } = (isJson ? await answer.json() : {}) as { code?: string };
  return {
    status: answer.status,
    policy: answer.headers.get("ratelimit-policy"),
    left: left ?? null,
    retryAfter: Number(answer.headers.get("retry-after")),
    restSec: Number(rest),
    code,
  };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

describe("rate limits", () => {
  let server: TestServer;
  let ada: Person;
  let companyId: string;
  const siblings: TestServer[] = [];
  beforeAll(async () => {
    server = await startTestServer({ mode: "authenticated" });
    ada = await claim(server);
    ({ id: companyId } = await ada.client.companies.create({ body: { name: "Acme" } }));
  });
  afterEach(() => Promise.all(siblings.splice(0).map((sibling) => sibling.close())));
  afterAll(() => server.close());

  async function limited(rateLimits: TestOptions["rateLimits"], options: TestOptions = {}): Promise<TestServer> {
    const sibling = await server.sibling({ rateLimits: { windowSec, ...rateLimits }, ...options });
    siblings.push(sibling);
    return sibling;
  }

  async function agentKeys(count = 1): Promise<string[]> {
    const body = {
      name: `Worker ${Math.random()}`,
      adapterType: "process" as const,
      adapterConfig: { command: "true" },
    };
    await ada.client.companies.change({
      params: { companyId },
      body: { requireBoardApprovalForNewAgents: false },
    });
    const { id } = await ada.client.agents.create({ params: { companyId }, body });
    const keys = Array.from({ length: count }, () =>
      ada.client.agentKeys.create({ params: { agentId: id }, body: {} }),
    );
    return (await Promise.all(keys)).map(({ token }) => token ?? "");
  }

  const get = async (at: TestServer, path: string, headers: Record<string, string> = {}): Promise<Seen> =>
    seen(await fetch(at.url + path, { headers }));
  const me = (at: TestServer, token: string): Promise<Seen> => get(at, "/api/agents/me", bearer(token));
  const session = (at: TestServer): Promise<Seen> => get(at, "/api/auth/get-session", { cookie: ada.cookie });
  const entries = async (): Promise<number> =>
    (await server.database.driver<{ count: number }[]>`select count(*)::int as count from activity`)[0]?.count ?? 0;

  test("where people sign in they are on: each answer says which, how much is left, and for how long", async () => {
    const [token = ""] = await agentKeys();
    expect(await me(server, token)).toMatchObject({ status: 200, policy: '"agent";q=1200;w=60', left: "1199" });
    expect(await session(server)).toMatchObject({ status: 200, policy: '"person";q=6000;w=60' });
    const stranger = await get(server, "/api/companies");
    expect(stranger).toMatchObject({ status: 401, policy: '"address";q=600;w=60' });
    expect(stranger.restSec).toBeGreaterThan(0);
    expect(stranger.restSec).toBeLessThanOrEqual(60);
  });

  test("an agent that asks too often, with whichever of its keys, is refused before anything is looked at or written", async () => {
    const at = await limited({ agent: 3 });
    const [one = "", two = ""] = await agentKeys(2);
    const policy = `"agent";q=3;w=${windowSec}`;
    expect(await me(at, one)).toMatchObject({ status: 200, policy, left: "2" });
    expect(await me(at, two)).toMatchObject({ status: 200, policy, left: "1" });
    expect(await me(at, one)).toMatchObject({ status: 200, policy, left: "0" });
    const before = await entries();
    const late = await me(at, two);
    expect(late).toMatchObject({ status: 429, code: "rate_limited", policy, left: "0" });
    expect(late.retryAfter).toBe(late.restSec);
    expect(late.retryAfter).toBeGreaterThan(0);
    const post = (path: string, body: object) =>
      fetch(at.url + path, {
        method: "POST",
        headers: { ...bearer(one), "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then(seen);
    const issues = `/api/companies/${companyId}/issues`;
    expect(await post(issues, { title: "Never" })).toMatchObject({ status: 429, code: "rate_limited" });
    expect(await post("/api/companies", { name: "Nor this" })).toMatchObject({ status: 429, code: "rate_limited" });
    expect(await entries()).toBe(before);
  });

  test("an agent that loops starves nobody: no other agent, no person, no runner", async () => {
    const at = await limited({ agent: 2, person: 100 });
    const [[loops = ""], [calm = ""]] = await Promise.all([agentKeys(), agentKeys()]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => me(at, loops)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(18);
    expect((await me(at, calm)).status).toBe(200);
    expect((await session(at)).status).toBe(200);
    const { token } = await registerRunner(
      { database: at.database, notifier: { notify: () => undefined } },
      { name: "R" },
    );
    const body = JSON.stringify({ capacity: 0, waitSec: 0 });
    const headers = { ...bearer(token), "content-type": "application/json" };
    for (let n = 0; n < 5; n += 1) {
      const told = await seen(await fetch(`${at.url}/api/runner/claim`, { method: "POST", headers, body }));
      expect(told).toMatchObject({ status: 200, policy: null, left: null });
    }
  });

  test("a person has a lane for all its sessions", async () => {
    const at = await limited({ person: 2 });
    expect(await session(at)).toMatchObject({ status: 200, left: "1", policy: `"person";q=2;w=${windowSec}` });
    expect(await session(at)).toMatchObject({ status: 200, left: "0" });
    expect(await session(at)).toMatchObject({ status: 429, code: "rate_limited" });
    expect((await session(server)).status).toBe(200);
  });

  test("who shows no usable credential is counted for its address, and takes nothing from those who do from there", async () => {
    const at = await limited({ address: 2, agent: 100 });
    const [token = ""] = await agentKeys();
    expect(await me(at, `svk_aaaaaaaa_${"b".repeat(43)}`)).toMatchObject({ status: 401, left: "1" });
    expect(await get(at, "/")).toMatchObject({ status: 200, left: "0", policy: `"address";q=2;w=${windowSec}` });
    expect(await me(at, "let-me-in")).toMatchObject({ status: 429, code: "rate_limited" });
    expect(await get(at, "/api/openapi.json")).toMatchObject({ status: 429, code: "rate_limited" });
    expect(await me(at, token)).toMatchObject({ status: 200, left: "99" });
  });

  test("behind a trusted proxy the address is the client's, and of the newer family its network", async () => {
    const at = await limited({ address: 1 }, { trustedProxies: ["127.0.0.1"] });
    const from = async (address: string) => (await get(at, "/", { "x-forwarded-for": address })).status;
    expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([200, 429, 200]);
    expect([await from("2001:db8::1"), await from("2001:db8::2"), await from("2001:db8:0:1::1")]).toEqual([
      200, 429, 200,
    ]);
  });

  test("what watches the service is never refused and never counted", async () => {
    const at = await limited({ address: 1 });
    await get(at, "/");
    expect(await get(at, "/")).toMatchObject({ status: 429 });
    for (const path of probes) expect(await get(at, path)).toMatchObject({ status: 200, policy: null, left: null });
    expect(await get(at, "/metrics")).toMatchObject({ status: 401, policy: null, left: null });
  });

  test("an event stream counts once, however long it lasts and however often its access is looked at", async () => {
    const at = await limited({ person: 100 }, { beatMs: 5 });
    const aborting = new AbortController();
    const { body } = await fetch(`${at.url}/api/companies/${companyId}/events`, {
      headers: { cookie: ada.cookie, accept: "text/event-stream" },
      signal: aborting.signal,
    });
    let text = "";
    for await (const piece of body ?? []) {
      text += Buffer.from(piece as Uint8Array).toString("utf8");
      if (text.split(":\n\n").length > 5) break;
    }
    aborting.abort();
    expect(await session(at)).toMatchObject({ status: 200, left: "98" });
  });

  test("0 is no limit; in local mode there is none but where one is set", async () => {
    const open = await limited({ agent: 0, person: 0, address: 0 });
    const [token = ""] = await agentKeys();
    for (const one of [await me(open, token), await session(open), await get(open, "/")]) {
      expect(one).toMatchObject({ policy: null, left: null });
    }
    const local = await startTestServer();
    siblings.push(local);
    expect(await get(local, "/api/companies")).toMatchObject({ status: 200, policy: null, left: null });
    const set = await local.sibling({ rateLimits: { person: 1, windowSec } });
    siblings.unshift(set);
    expect(await get(set, "/api/companies")).toMatchObject({ status: 200, left: "0" });
    expect(await get(set, "/api/companies")).toMatchObject({ status: 429, code: "rate_limited" });
    expect(await get(set, "/")).toMatchObject({ status: 200, policy: null });
  });
});
