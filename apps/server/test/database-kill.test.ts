import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestCluster, type TestCluster } from "@roster/testing";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BegunServer, type BuiltServer, buildServer } from "./server-process.ts";

const writers = 24;
/** Acknowledged writes after which the database is killed, in the midst of others. */
const beforeKill = 60;
/** Refusals that each writer collects while the database is away. */
const refusalsEach = 3;
/** No answer takes longer: 10 seconds for a connection to come free, 5 to make one. */
const boundMs = 15_000;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly isReplay: boolean;
  readonly body: { readonly id?: string; readonly code?: string };
}

describe("killing the database with -9 under many writers", () => {
  let cluster: TestCluster;
  let built: BuiltServer;
  let home: string;
  let server: BegunServer;
  let url: string;
  let companyId: string;
  beforeAll(async () => {
    built = await buildServer();
    home = await mkdtemp(join(tmpdir(), "roster-home-"));
    cluster = await startTestCluster();
    server = built.begin(cluster.url, { SERVICE_HOME: home });
    url = await server.url;
    companyId = (await send("/api/companies", "company", { name: "Acme" })).body.id ?? "";
  });
  afterAll(async () => {
    await server.kill();
    await built.remove();
    await cluster.stop();
    await rm(home, { recursive: true });
  });

  const get = (path: string) => fetch(url + path, { signal: AbortSignal.timeout(boundMs) });

  async function send(path: string, key: string, body: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(boundMs),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      isReplay: response.headers.has("idempotent-replayed"),
      body: (await response.json()) as Answer["body"],
    };
  }

  /** What was acknowledged, by key, and what was refused. A key is also the title of its issue. */
  const acknowledged = new Map<string, string>();
  const refused = new Set<string>();

  async function write(key: string): Promise<Answer> {
    const answer = await send(`/api/companies/${companyId}/issues`, key, { title: key });
    if (answer.status === 201) {
      refused.delete(key);
      acknowledged.set(key, answer.body.id ?? "");
    } else {
      refused.add(key);
      expect(answer).toMatchObject({
        status: 503,
        body: { code: "overloaded" },
        retryAfter: expect.stringMatching(/^\d+$/),
      });
    }
    return answer;
  }

  /** Writes until the database is gone, and so long after that each writer has heard so. */
  async function storm(name: string, kill: () => Promise<unknown>): Promise<void> {
    let killed: Promise<unknown> | null = null;
    let left = beforeKill;
    const work = async (writer: number): Promise<void> => {
      for (let n = 0, heard = 0; heard < refusalsEach; n += 1) {
        const { status } = await write(`${name}-${writer}-${n}`);
        if (status !== 201) heard += 1;
        left -= 1;
        if (left === 0) killed = kill();
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)));
    await killed;
  }

  /** A runner that waits for work, so that the server listens to the database, too. */
  async function waitForWork(): Promise<number> {
    const token = (await readFile(join(home, "runner.token"), "utf8")).trim();
    const answer = await fetch(`${url}/api/runner/claim`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ capacity: 1, waitSec: 20 }),
    });
    return answer.status;
  }

  const databaseUp = async (): Promise<string | undefined> =>
    /^roster_database_up (\d)$/m.exec(await (await get("/metrics")).text())?.[1];

  const isReady = async (): Promise<boolean> => (await get("/readyz")).ok;
  async function ready(): Promise<void> {
    while (!(await isReady())) await new Promise((again) => setTimeout(again, 20));
  }

  /** Sends everything again: what was refused now succeeds, what was acknowledged is answered as it was. */
  async function sendAllAgain(): Promise<void> {
    const before = new Map(acknowledged);
    await Promise.all([...refused].map(write));
    expect(refused).toEqual(new Set());
    await Promise.all(
      [...before].map(async ([key, id]) => {
        expect(await write(key)).toMatchObject({ status: 201, isReplay: true, body: { id } });
      }),
    );
  }

  async function everyWriteIsThereOnce(): Promise<void> {
    const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined });
    const issues = await sql<{ id: string; title: string; entries: number }[]>`
      select i.id, i.title, (select count(*)::int from activity a
        where a.company_id = i.company_id and a.entity_id = i.id and a.action = 'issue.created') as entries
      from issues i where i.company_id = ${companyId}`;
    const [log] = await sql`
      select h.last_seq::int as last, count(*)::int as count, count(distinct a.seq)::int as different, max(a.seq)::int as highest
      from activity_heads h join activity a using (company_id) where h.company_id = ${companyId} group by h.last_seq`;
    await sql.end();
    expect(new Map(issues.map(({ title, id }) => [title, id]))).toEqual(acknowledged);
    expect(issues).toHaveLength(acknowledged.size);
    for (const { entries } of issues) expect(entries).toBe(1);
    expect(log).toEqual({
      last: log?.["count"],
      count: log?.["count"],
      different: log?.["count"],
      highest: log?.["count"],
    });
  }

  test.each([1, 2, 3])(
    "P7: who writes meanwhile is refused with 503 and Retry-After, never otherwise and never late; once it is back everything goes on by itself, round %i",
    async (round) => {
      const waited = waitForWork();
      await storm(`round-${round}`, () => cluster.kill());
      expect(await waited).toBe(503);
      expect(await (await get("/api/health")).json()).toMatchObject({ status: "unavailable", database: "unavailable" });
      const unready = await get("/readyz");
      expect([unready.status, unready.headers.get("retry-after")]).toEqual([503, "1"]);
      expect((await get("/livez")).status).toBe(200);
      expect((await get("/api/companies")).status).toBe(503);
      expect(await databaseUp()).toBe("0");
      await cluster.startAgain();
      await ready();
      expect(await (await get("/api/health")).json()).toMatchObject({ status: "ok", database: "ok" });
      expect(await databaseUp()).toBe("1");
      await sendAllAgain();
      await everyWriteIsThereOnce();
    },
    120_000,
  );

  test("P7: one of its sessions killed in the midst of its work resets it, and is survived likewise", async () => {
    const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined });
    const [session] = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = 'roster' and backend_type = 'client backend' limit 1`;
    await sql.end();
    let left = beforeKill;
    await Promise.all(
      Array.from({ length: writers * 10 }, async (_, n) => {
        await write(`session-${n}`);
        left -= 1;
        if (left === 0) process.kill(session?.pid ?? 0, "SIGKILL");
      }),
    );
    await ready();
    await sendAllAgain();
    await everyWriteIsThereOnce();
  }, 120_000);
});
