import { readFileSync } from "node:fs";
import { createClient } from "@roster/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claim, invited, type Person } from "./people.ts";
import { idleProgram, type RunGround, startRunGround } from "./run-ground.ts";
import { openWire } from "./sweep/wire.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

interface Metrics {
  readonly text: string;
  /** Kinds by name, as the answer declares them. */
  readonly kinds: ReadonlyMap<string, string>;
  /** The value of a sample, by its name and labels as they stand in the answer; 0 where there is none. */
  value(sample: string): number;
}

async function metricsOf(url: string): Promise<Metrics> {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  const lines = text.split("\n").map((line) => line.split(" "));
  const kinds = lines.flatMap(([mark, word, name = "", kind = ""]) =>
    mark === "#" && word === "TYPE" ? [[name, kind]] : [],
  );
  return {
    text,
    kinds: new Map(kinds as [string, string][]),
    value: (sample) => Number(lines.find(([name]) => name === sample)?.[1] ?? 0),
  };
}

describe("the metrics", () => {
  let ground: RunGround;
  let url: string;
  beforeAll(async () => {
    ground = await startRunGround();
    ({ url } = ground.server);
  });
  afterAll(() => ground.close());

  const metrics = () => metricsOf(url);

  test("are those that the guide lists, each with its kind, and no others", async () => {
    const guide = readFileSync(new URL("../../../docs/guide/metrics.md", import.meta.url), "utf8");
    const rows = Array.from(guide.matchAll(/^\| `([a-z_\d]+)` \| (\w+) \| (.*) \|$/gm));
    const isHere = (what: string): boolean => process.platform === "linux" || !what.startsWith("Linux: ");
    const listed = rows.filter(([, , , what = ""]) => isHere(what)).map(([, name = "", kind = ""]) => [name, kind]);
    expect(new Set(listed.map(([name]) => name)).size).toBe(listed.length);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries((await metrics()).kinds));
  });

  test("count requests by operation and status, and refusals by code", async () => {
    const before = await metrics();
    await ground.board.companies.list();
    await fetch(`${url}/api/companies/none`);
    await fetch(`${url}/api/nothing/${"x".repeat(50)}`);
    const after = await metrics();
    const rise = (sample: string): number => after.value(sample) - before.value(sample);
    expect(rise('roster_http_requests_total{operation="companies.list",status="200"}')).toBe(1);
    expect(rise('roster_http_requests_total{operation="companies.get",status="404"}')).toBe(1);
    expect(rise('roster_http_requests_total{operation="none",status="404"}')).toBe(1);
    expect(rise('roster_http_requests_total{operation="service.metrics",status="200"}')).toBe(1);
    expect(rise('roster_http_request_duration_seconds_count{operation="companies.list"}')).toBe(1);
    expect(rise('roster_http_request_duration_seconds_bucket{le="+Inf",operation="companies.list"}')).toBe(1);
    expect(rise('roster_http_refusals_total{code="not_found"}')).toBe(2);
    expect(rise("roster_database_statements_total")).toBeGreaterThan(0);
    expect(after.value("roster_database_up")).toBe(1);
  });

  test("count what waits and runs, by what it waits for; what has ended, by its cause; and what was logged, by action", async () => {
    const company = await ground.company();
    const [waits, paused, works] = await Promise.all([1, 2, 3].map(() => company.agent(idleProgram)));
    const before = await metrics();
    for (const agent of [waits, paused, works]) await ground.wake(agent?.id ?? "");
    await ground.board.agents.pause({ params: { agentId: paused?.id ?? "" } });
    const queued = await metrics();
    const rise = (sample: string, now: Metrics): number => now.value(sample) - before.value(sample);
    expect(rise('roster_runs_queued{waiting_for="runner"}', queued)).toBe(2);
    expect(rise('roster_runs_queued{waiting_for="agent_paused"}', queued)).toBe(1);
    expect(rise("roster_wakes_waiting", queued)).toBe(3);
    expect(queued.value("roster_runs_oldest_queued_seconds")).toBeGreaterThan(0);
    expect(rise('roster_activity_entries_total{action="agent.paused"}', queued)).toBe(1);

    const runner = await company.runner();
    const [first, second] = [await runner.begin(), await runner.take()];
    const running = await metrics();
    expect(rise('roster_runs_under_way{status="running"}', running)).toBe(1);
    expect(rise('roster_runs_under_way{status="claimed"}', running)).toBe(1);
    expect(rise('roster_runs_queued{waiting_for="runner"}', running)).toBe(0);
    expect(rise("roster_leases", running)).toBe(2);
    expect(running.value("roster_runners_alive")).toBeGreaterThan(0);

    await runner.settle(first);
    await runner.settle(second, { code: "agent_error", message: "No." });
    const ended = await metrics();
    expect(rise('roster_runs_settled_total{cause="ok"}', ended)).toBe(1);
    expect(rise('roster_runs_settled_total{cause="agent_error"}', ended)).toBe(1);
    expect(rise("roster_leases", ended)).toBe(0);
  });

  test("count event streams as long as somebody reads them", async () => {
    const { id } = await ground.company();
    const streams = async (): Promise<number> => (await metrics()).value("roster_event_streams");
    const before = await streams();
    const aborting = new AbortController();
    const { body } = await fetch(`${url}/api/companies/${id}/events`, {
      headers: { accept: "text/event-stream" },
      signal: aborting.signal,
    });
    await body?.getReader().read();
    expect(await streams()).toBe(before + 1);
    aborting.abort();
    while ((await streams()) !== before) await new Promise((again) => setTimeout(again, 10));
  });

  test("name nobody and nothing: no id, no name, only words that are known beforehand", async () => {
    const company = await ground.company({ name: "Unmistakable Works" });
    const agent = await company.agent({ name: "Ebenezer", ...idleProgram });
    await fetch(`${url}/api/agents/${agent.id}`);
    const { text } = await metrics();
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(text).not.toMatch(/Unmistakable|Ebenezer/i);
  });
});

describe("who reads the metrics", () => {
  const metricsToken = "a token that is long enough".replaceAll(" ", "-");
  let server: TestServer;
  let admin: Person;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer({ mode: "authenticated", metricsToken });
    admin = await claim(server);
    ({ id: companyId } = await admin.client.companies.create({ body: { name: "Acme" } }));
  });
  afterAll(() => server.close());

  const read = async (headers: Record<string, string>, at = server): Promise<string> => {
    const answer = await fetch(`${at.url}/metrics`, { headers });
    if (answer.ok) return String(answer.status);
    const { code } = (await answer.json()) as { code: string };
    return `${answer.status} ${code}`;
  };

  test("where people sign in: who shows the token, and who runs the deployment; nobody else", async () => {
    const owner = await invited(server, admin.client, { companyId, role: "owner", email: "owner@example.com" });
    expect(await read({ authorization: `Bearer ${metricsToken}` })).toBe("200");
    expect(await read({ cookie: admin.cookie })).toBe("200");
    expect(await read({ cookie: owner.cookie })).toBe("403 forbidden");
    expect(await read({})).toBe("401 unauthenticated");
    for (const wrong of [`${metricsToken}x`, metricsToken.slice(1), "x"]) {
      expect(await read({ authorization: `Bearer ${wrong}` })).toBe("401 unauthenticated");
    }
  });

  test("each server is asked by its own address; nothing but what watches it answers there", async () => {
    const wire = openWire(server.url);
    const at = async (path: string): Promise<number> => {
      const headers = { host: "10.0.0.5:3100", authorization: `Bearer ${metricsToken}` };
      return (await wire.send({ method: "GET", path, headers })).status;
    };
    for (const path of ["/metrics", "/livez", "/readyz", "/api/health"]) expect(await at(path)).toBe(200);
    for (const path of ["/", "/api/companies", "/api/openapi.json", "/metrics/", "/none"])
      expect(await at(path)).toBe(403);
    wire.close();
  });

  test("the token opens nothing else, and where none is set no text is one", async () => {
    const scraper = createClient({ baseUrl: server.url, token: metricsToken, retries: 0 });
    const params = { companyId };
    for (const call of [
      () => scraper.companies.list(),
      () => scraper.companies.get({ params }),
      () => scraper.issues.create({ params, body: { title: "No" } }),
      () => scraper.runners.claim({ body: { capacity: 1, waitSec: 0 } }),
      () => scraper.activity.listInstance(),
    ]) {
      await expect(call()).rejects.toMatchObject({ status: 403, code: "forbidden" });
    }
    const without = await server.sibling({ metricsToken: undefined });
    expect(await read({ authorization: `Bearer ${metricsToken}` }, without)).toBe("401 unauthenticated");
    expect(await read({ authorization: "Bearer undefined" }, without)).toBe("401 unauthenticated");
    expect(await read({ cookie: admin.cookie }, without)).toBe("200");
    await without.close();
  });
});
