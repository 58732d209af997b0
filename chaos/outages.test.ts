import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@roster/client";
import type { Run } from "@roster/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "./eventually.ts";
import { type Ground, openGround } from "./ground.ts";
import { overlapsIn } from "./overlaps.ts";
import { watchReplacements } from "./watch-replacements.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const finals: readonly Run["status"][] = ["succeeded", "failed", "timed_out", "cancelled", "lost"];
const lines = 50;
const whole = Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");
/** Leaves a child behind that has left its process group. */
const printing = `setsid sleep 300 & i=0; while [ $i -lt ${lines} ]; do echo "line $i"; i=$((i + 1)); sleep 0.1; done`;

describe("two servers and two runners", () => {
  let ground: Ground;
  let client: Client;
  let companyId: string;
  beforeAll(async () => {
    ground = await openGround(root);
    client = createClient({ baseUrl: ground.urls[0] ?? "", retries: 1000, timeoutMs: 20_000 });
  }, 300_000);
  afterAll(() => ground.close(), 120_000);
  beforeEach(async () => {
    companyId = (await client.companies.create({ body: { name: "Acme" } })).id;
  });

  /** Gives a new agent an issue, which it prints about. */
  async function begin(name: string): Promise<{ issueId: string; agentId: string }> {
    const params = { companyId };
    const adapterConfig = { command: "/bin/sh", args: ["-c", printing] };
    const { id: agentId } = await client.agents.create({
      params,
      body: { name, adapterType: "process", adapterConfig },
    });
    const { id: issueId } = await client.issues.create({ params, body: { title: name, assigneeAgentId: agentId } });
    return { issueId, agentId };
  }
  const runs = async (): Promise<Run[]> =>
    (await client.runs.list({ params: { companyId }, query: { limit: 200 } })).items;
  const logOf = async ({ id }: Run): Promise<string> =>
    Buffer.from(await client.runs.log({ params: { runId: id } })).toString();
  const printed = (count: number): Promise<Run[]> =>
    eventually("lines of every run", async () => {
      const all = await runs();
      const logs = await Promise.all(all.map(logOf));
      return all.length === count && logs.every((log) => log.includes("line 3\n")) ? all : null;
    });
  const ended = (): Promise<Run[]> =>
    eventually("the end of all runs", async () => {
      const all = await runs();
      return all.every(({ status }) => finals.includes(status)) ? all : null;
    });
  const moves = async (entityId: string): Promise<string[]> => {
    const { items } = await client.activity.list({ params: { companyId }, query: { entityId, limit: 100 } });
    return items.map(({ action }) => action).reverse();
  };
  const expectPlain = async (run: Run): Promise<void> => {
    expect(run).toMatchObject({ status: "succeeded", attempt: 1, retryOf: null, exitCode: 0 });
    expect(await logOf(run)).toBe(whole);
    expect(await moves(run.id)).toEqual(["run.claimed", "run.started", "run.finished"]);
  };
  const ready = (url: string): Promise<true> =>
    eventually(`a server at ${url}`, async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      return answer?.ok === true ? true : null;
    });

  test("P5, P7: a laptop that sleeps for longer than leases last: every run goes on, whole, with one end", async () => {
    await Promise.all(["One", "Two", "Three"].map(begin));
    await printed(3);
    const parts = [...ground.servers, ...ground.runners];
    for (const part of parts) part.pause();
    // The night, as the clock of the database shows it afterwards.
    await ground.sql.begin(async (sql) => {
      await sql`update leases set lease_until = lease_until - interval '8 hours'`;
      await sql`update instance set alive_at = alive_at - interval '8 hours'`;
    });
    for (const part of parts) part.resume();
    const all = await ended();
    expect(all).toHaveLength(3);
    for (const run of all) await expectPlain(run);
  }, 300_000);

  test("P5: runners that sleep alone lose their runs; what takes their place never runs beside them, and is whole", async () => {
    const watch = watchReplacements(ground.sql);
    await Promise.all(["One", "Two", "Three"].map(begin));
    const first = await printed(3);
    for (const runner of ground.runners) runner.pause();
    await ground.sql`update leases set lease_until = clock_timestamp() - interval '1 second'`;
    await eventually("their loss", async () =>
      (await runs()).filter(({ status }) => status === "lost").length === 3 ? true : null,
    );
    for (const runner of ground.runners) runner.resume();
    const all = await ended();
    expect(all).toHaveLength(6);
    for (const run of first) {
      const [lost, next] = [all.find(({ id }) => id === run.id), all.find(({ retryOf }) => retryOf === run.id)];
      expect(lost).toMatchObject({ status: "lost", cause: { code: "runner_lost" } });
      expect(next).toMatchObject({ status: "succeeded", attempt: 2 });
      expect(next === undefined ? "" : await logOf(next)).toBe(whole);
    }
    expect(await watch.stop()).toEqual([]);
    expect(await overlapsIn(ground.sql)).toEqual([]);
  }, 300_000);

  test("P7: servers that are stopped and started one after the other fail, lose and double no run", async () => {
    await Promise.all(["One", "Two", "Three", "Four"].map(begin));
    await printed(4);
    for (const [n, server] of ground.servers.entries()) {
      await server.stop();
      // Work comes in meanwhile, by the other.
      const other = createClient({ baseUrl: ground.urls[1 - n] ?? "", retries: 1000, timeoutMs: 20_000 });
      const { items } = await other.agents.list({ params: { companyId } });
      await other.runs.wakeup({ params: { agentId: items[n]?.id ?? "" }, body: { idempotencyKey: `during ${n}` } });
      server.start();
      await ready(ground.urls[n] ?? "");
    }
    const all = await ended();
    expect(all).toHaveLength(6);
    for (const run of all) await expectPlain(run);
  }, 300_000);
});
