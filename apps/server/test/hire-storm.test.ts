import { type Client, createClient, Refused } from "@roster/client";
import { createTestDatabase, type TestDatabase } from "@roster/testing";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type BuiltServer, buildServer } from "./server-process.ts";

const rounds = 6;
const workers = 8;

interface Acknowledged {
  /** Status of an approval as the last acknowledged answer gave it, by id. */
  readonly approvals: Map<string, string>;
  readonly agents: Set<string>;
}

describe("killing the server with -9 in a storm of hires and decisions", () => {
  let database: TestDatabase;
  let built: BuiltServer;
  let sql: postgres.Sql;
  beforeAll(async () => {
    built = await buildServer();
    database = await createTestDatabase(inject("clusterUrl"), inject("templateDatabase"));
    sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
    await built.remove();
  });

  const acknowledged: Acknowledged = { approvals: new Map(), agents: new Set() };
  const body = (name: string) => ({
    name,
    adapterType: "process",
    adapterConfig: { command: "true", env: { API_TOKEN: `token-${name}-0123456789abcdef` } },
  });

  /** One hire and its decision, noted as far as they were acknowledged. */
  async function hireAndDecide(client: Client, companyId: string, name: string): Promise<void> {
    const { agent, approval } = await client.hires.request({ params: { companyId }, body: body(name) });
    acknowledged.agents.add(agent.id);
    if (approval === null) throw new Error("expected an approval");
    acknowledged.approvals.set(approval.id, "pending");
    const verdict = Math.random() < 0.5 ? "approve" : "reject";
    const decided = await client.approvals[verdict]({ params: { approvalId: approval.id }, body: {} });
    acknowledged.approvals.set(approval.id, decided.status);
  }

  /** Storms until the server is killed, at a random acknowledged answer. */
  async function storm(companyId: string, token: string): Promise<void> {
    const server = await built.start(database.url);
    // A try that got no answer is given up: the server comes back at another address.
    const client = createClient({ baseUrl: server.url, retries: 0 });
    const agent = createClient({ baseUrl: server.url, token, retries: 0 });
    let left = 5 + Math.floor(Math.random() * 40);
    let killed: Promise<void> | null = null;
    const work = async (worker: number): Promise<void> => {
      for (let n = 0; killed === null; n += 1) {
        const asked = n % 2 === 0 ? client : ({ ...client, hires: agent.hires } as Client);
        await hireAndDecide(asked, companyId, `w${worker}-${n}`).catch((error: unknown) => {
          // A connection that broke is what this test is about; a refusal is not.
          if (error instanceof Refused) throw error;
        });
        left -= 1;
        if (left <= 0) killed ??= server.kill();
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    await killed;
  }

  test("P3, P7: every hire is whole or not there, every decision has its effect, record and wake, nothing acknowledged is lost", async () => {
    const setup = await built.start(database.url);
    const board = createClient({ baseUrl: setup.url });
    const { id: companyId } = await board.companies.create({ body: { name: "Storm" } });
    const requester = await board.agents.create({ params: { companyId }, body: body("requester") });
    const { token } = await board.agentKeys.create({ params: { agentId: requester.id }, body: {} });
    await setup.kill();
    for (let round = 0; round < rounds; round += 1) await storm(companyId, token ?? "");

    const agents = await sql<{ id: string; status: string; revisions: number; approval: string; verdict: string }[]>`
      select a.id, a.status, p.id as approval, p.status as verdict,
        (select count(*)::int from agent_revisions r where r.agent_id = a.id) as revisions
      from agents a left join approvals p on p.agent_id = a.id where a.id <> ${requester.id}`;
    const expected: Record<string, string> = { pending: "pending_approval", approved: "idle", rejected: "terminated" };
    for (const agent of agents) {
      expect(agent).toMatchObject({ revisions: 1, status: expected[agent.verdict] });
    }
    const found = new Map(agents.map(({ approval, verdict }) => [approval, verdict]));
    for (const id of acknowledged.agents) expect(agents.some((agent) => agent.id === id)).toBe(true);
    for (const [id, status] of acknowledged.approvals) {
      // A decision may have committed without its answer having arrived; an acknowledged one stands.
      if (status === "pending") expect(found.has(id)).toBe(true);
      else expect(found.get(id)).toBe(status);
    }
    expect(acknowledged.approvals.size).toBeGreaterThan(rounds);
  });

  test("P2, P5: the log has each step once and without a gap, and each decision one wake of its requester", async () => {
    const heads = await sql<{ last: string; count: string; highest: string }[]>`
      select h.last_seq as last, count(*) as count, max(a.seq) as highest
      from activity_heads h join activity a using (company_id) group by h.company_id, h.last_seq`;
    for (const { last, count, highest } of heads) expect([count, highest]).toEqual([last, last]);
    const decisions = await sql<{ decided: number; wakes: number; entries: number }[]>`
      select (p.status <> 'pending' and p.requested_by_agent_id is not null)::int as decided,
        (select count(*)::int from wakes w where w.approval_id = p.id) as wakes,
        (select count(*)::int from activity e where e.entity_id = p.id and e.action <> 'approval.requested') as entries
      from approvals p where p.requested_by_agent_id is not null`;
    expect(decisions.length).toBeGreaterThan(0);
    for (const { decided, wakes, entries } of decisions) expect([wakes, entries]).toEqual([decided, decided]);
  });

  test("P11: no secret of the storm is in any table", async () => {
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
    for (const { name } of tables) {
      const rows = await sql.unsafe(`select 1 from ${name} t where t::text like '%0123456789abcdef%' limit 1`);
      expect(rows, name).toHaveLength(0);
    }
  });
});
