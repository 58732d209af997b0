import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@roster/client";
import type { Run } from "@roster/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { carriers } from "./carriers.ts";
import { eventually } from "./eventually.ts";
import { type Ground, openGround } from "./ground.ts";
import { overlapsIn } from "./overlaps.ts";
import { watchReplacements } from "./watch-replacements.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const finals: readonly Run["status"][] = ["succeeded", "failed", "timed_out", "cancelled", "lost"];
const lines = 40;
const whole = Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");
const half = `line ${lines / 2 - 1}\n`;
/**
 * Has a child that has left its process group; prints half of its lines, waits until the file is there, and prints the
 * rest: it is in the middle of its work for as long as a test wants.
 */
const program = (file: string): string =>
  `setsid sleep 300 & i=0; while [ $i -lt ${lines} ]; do echo "line $i"; i=$((i + 1)); sleep 0.02; ` +
  `while [ $i -eq ${lines / 2} ] && ! [ -e ${file} ]; do sleep 0.05; done; done`;

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

  const fileOf = (name: string): string => join(ground.folder, `${companyId}-${name}`);
  /** Lets the programs of this name go on to their end. */
  const letGo = (name: string): Promise<void> => writeFile(fileOf(name), "");
  /** Gives a new agent an issue, which it prints about. Answers the agent. */
  async function begin(name: string): Promise<string> {
    const params = { companyId };
    const adapterConfig = { command: "/bin/sh", args: ["-c", program(fileOf(name))] };
    const agent = await client.agents.create({ params, body: { name, adapterType: "process", adapterConfig } });
    await client.issues.create({ params, body: { title: name, assigneeAgentId: agent.id } });
    return agent.id;
  }

  const runs = async (): Promise<Run[]> => {
    const { items } = await client.runs.list({ params: { companyId }, query: { limit: 200 } });
    return items;
  };
  const logOf = async ({ id }: Run): Promise<string> =>
    Buffer.from(await client.runs.log({ params: { runId: id } })).toString();
  /** So many runs, each in the middle of its work. */
  const halfway = (count: number): Promise<Run[]> =>
    eventually("half of every run", async () => {
      const underWay = (await runs()).filter(({ status }) => status === "running");
      const logs = await Promise.all(underWay.map(logOf));
      return underWay.length === count && logs.every((log) => log.endsWith(half)) ? underWay : null;
    });
  const ended = (): Promise<Run[]> =>
    eventually("the end of all runs", async () => {
      const all = await runs();
      return all.every(({ status }) => finals.includes(status)) ? all : null;
    });
  const ready = (url: string): Promise<true> =>
    eventually(`a server at ${url}`, async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      return answer?.ok === true ? true : null;
    });

  /** It succeeded at the first attempt, printed everything once, and the log says nothing else of it. */
  async function expectPlain(run: Run): Promise<void> {
    expect(run).toMatchObject({ status: "succeeded", attempt: 1, retryOf: null, exitCode: 0 });
    expect(await logOf(run)).toBe(whole);
    const { items } = await client.activity.list({ params: { companyId }, query: { entityId: run.id, limit: 100 } });
    expect(items.map(({ action }) => action)).toEqual(["run.finished", "run.started", "run.claimed"]);
  }

  /** Stops every part, and lets a night go by, as the clock of the database shows it afterwards. */
  function asleep(meanwhile: () => Promise<void>): Promise<true> {
    return eventually("a night", async () => {
      const parts = [...ground.servers, ...ground.runners];
      for (const part of parts) part.pause();
      try {
        await ground.sql.begin(async (sql) => {
          // A server may have fallen asleep with a row locked: it finishes that first, and this is done again.
          await sql`set local lock_timeout = '1s'`;
          await sql`update leases set lease_until = lease_until - interval '8 hours'`;
          await sql`update instance set alive_at = alive_at - interval '8 hours'`;
        });
        await meanwhile();
        return true;
      } catch (error) {
        if ((error as { code?: string }).code !== "55P03") throw error;
        return null;
      } finally {
        for (const part of parts) part.resume();
      }
    });
  }

  test("P5, P7: a laptop that sleeps for longer than leases last: every run goes on, whole, with one end", async () => {
    const [one] = await Promise.all(["One", "Two", "Three"].map(begin));
    const begun = await halfway(3);
    const first = begun.find(({ agentId }) => agentId === one);
    await asleep(async () => {
      // One comes to its end while nobody is awake to see it.
      await letGo("One");
      await eventually("its end", async () => {
        const alive = await carriers();
        return [...alive.values()].filter((runId) => runId === first?.id).length <= 1 ? true : null;
      });
    });
    await Promise.all(["Two", "Three"].map(letGo));
    const all = await ended();
    expect(all.map(({ id }) => id).sort()).toEqual(begun.map(({ id }) => id).sort());
    for (const run of all) await expectPlain(run);
  }, 400_000);

  test("P5: runners that sleep alone lose their runs; what takes their place never runs beside them, and is whole", async () => {
    const watch = watchReplacements(ground.sql);
    const names = ["One", "Two", "Three"];
    await Promise.all(names.map(begin));
    const first = await halfway(3);
    for (const runner of ground.runners) runner.pause();
    const ids = first.map(({ id }) => id);
    await eventually("their loss", async () => {
      // Again and again: an extension that was on its way when its runner fell asleep may come in between.
      await ground.sql`update leases set lease_until = clock_timestamp() - interval '1 second' where run_id in ${ground.sql(ids)}`;
      return (await runs()).filter(({ status }) => status === "lost").length === 3 ? true : null;
    });
    for (const runner of ground.runners) runner.resume();
    await halfway(3);
    await Promise.all(names.map(letGo));
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
  }, 400_000);

  test("P7: servers that are stopped and started one after the other fail, lose and double no run", async () => {
    const names = ["One", "Two", "Three", "Four"];
    const agentIds = await Promise.all(names.map(begin));
    await halfway(4);
    for (const [n, server] of ground.servers.entries()) {
      await server.stop();
      // Work comes in meanwhile, by the other.
      const other = createClient({ baseUrl: ground.urls[1 - n] ?? "", retries: 1000, timeoutMs: 20_000 });
      const { run } = await other.runs.wakeup({ params: { agentId: agentIds[n] ?? "" }, body: {} });
      expect(run).toMatchObject({ status: "queued" });
      server.start();
      await ready(ground.urls[n] ?? "");
    }
    await Promise.all(names.map(letGo));
    const all = await ended();
    expect(all).toHaveLength(6);
    for (const run of all) await expectPlain(run);
  }, 400_000);
});
