import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerRunner } from "../src/index.ts";
import { findSecretShape } from "../src/platform/secrets/index.ts";
import { Aviary } from "./canary/aviary.ts";
import { canaryForms, harmless } from "./canary/canaries.ts";
import { dumpOf } from "./canary/dump.ts";
import { printingProgram } from "./canary/printing.ts";
import { startWatchedRunner, type WatchedRunner } from "./canary/watched-runner.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

/** Ways to write a secret that printing changes. */
const awkward: Readonly<Record<string, (text: string) => string>> = {
  "with signs that are escaped": (text) => `p/ä?+"s\\${text}~ x\tend`,
  "of several lines": (text) => `first line of it\n${text} and the second\r\nthird ${text}\n`,
  "with an end of line": (text) => `${text}-with-an-end\n`,
  "beyond the basic plane": (text) => `🗝️ ${text} 🗝️`,
};
const mostShown = 10;

describe("P11: a secret that an agent's program prints", () => {
  const aviary = new Aviary();
  const told = new Map<string, string>();
  let server: TestServer;
  let runner: WatchedRunner;
  let folder: string;
  let noise: string;

  beforeAll(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), "roster-canary-"));
    await writeFile(join(folder, "tell.mjs"), printingProgram);
    const { id: companyId } = await server.board.companies.create({ body: { name: "Aviary" } });
    const { token } = await registerRunner(
      { database: server.database, notifier: { notify: () => undefined } },
      { name: "watched", companyIds: [companyId] },
    );
    runner = await startWatchedRunner(server.url, token);
    noise = aviary.release({ write: harmless }, "the harmless note");
    await runAgent(companyId);
  }, 120_000);
  afterAll(async () => {
    await runner.close();
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** Runs an agent with a secret of every form, and reads all that can be read of it, while it runs and afterwards. */
  async function runAgent(companyId: string): Promise<void> {
    const { board, url } = server;
    const stored = await board.secrets.create({
      params: { companyId },
      body: { name: "shared", value: aviary.release(formOf("stripe-key"), "a secret by reference") },
    });
    const agent = await board.agents.create({
      params: { companyId },
      body: {
        name: "Teller",
        adapterType: "process",
        adapterConfig: { command: process.execPath, args: [join(folder, "tell.mjs")], env: environment(stored.id) },
      },
    });
    const { run } = await board.runs.wakeup({ params: { agentId: agent.id }, body: { reason: "Tell" } });
    const runId = run?.id ?? "";
    const events = `/api/heartbeat-runs/${runId}/events`;
    const follow = async (): Promise<string> =>
      (await fetch(url + events, { headers: { accept: "text/event-stream" } })).text();
    // A stream lasts until the run is over.
    told.set("the stream of events", await follow());
    told.set("the same stream again", await follow());
    const read = async (path: string): Promise<string> => (await fetch(url + path)).text();
    told.set("the log", await read(`/api/heartbeat-runs/${runId}/log`));
    told.set("a piece of the log", await read(`/api/heartbeat-runs/${runId}/log?tail=4096`));
    for (let after = 0, pages = 0; pages < 200; pages += 1) {
      const { items } = await board.runs.events({ params: { runId }, query: { after, limit: 200 } });
      told.set("the list of events", `${told.get("the list of events") ?? ""}${JSON.stringify(items)}\n`);
      if (items.length < 200) break;
      after = items.at(-1)?.seq ?? after;
    }
    const settled = await board.runs.get({ params: { runId } });
    told.set("the run", JSON.stringify([settled, await board.runs.list({ params: { companyId } })]));
    told.set("the activity log", await read(`/api/companies/${companyId}/activity?limit=200`));
    told.set("the agent", JSON.stringify(await board.agents.get({ params: { agentId: agent.id } })));
    expect(settled).toMatchObject({ status: "failed", exitCode: 3 });
  }

  const formOf = (name: string) => canaryForms.find((form) => form.name === name) ?? expect.fail(name);
  function environment(secretId: string): JsonObject {
    const plain = canaryForms.map((form, n) => [`SECRET_${n}`, aviary.release(form, form.name)] as const);
    const [word] = canaryForms.filter(({ strength }) => strength === "random");
    const others = Object.entries(awkward).map(([title, write], n) => {
      const wrapped = (number: number): string => write(word?.write(number) ?? "");
      return [`AWKWARD_SECRET_${n}`, aviary.release({ write: wrapped }, title)] as const;
    });
    const values = Object.fromEntries([...plain, ...others]);
    const shared = { type: "secret_ref", secretId, version: "latest" };
    return { ...values, SHARED: shared, TELL: [...Object.keys(values), "SHARED"].join(","), LAST: noise };
  }

  test("is in nothing that is told of the run: no log, event, stream, answer or entry", () => {
    expect(told.size).toBe(8);
    for (const [where, text] of told)
      expect(aviary.traces(text).filter(isSecret).slice(0, mostShown), where).toEqual([]);
    expect(told.get("the log")?.match(/\[redacted\]/g)?.length).toBeGreaterThan(500);
  });

  test("and neither is the run's credential, nor anything of a published shape", () => {
    expect(told.get("the log")).toContain("key [redacted]\n");
    for (const [where, text] of told) expect(findSecretShape(text), where).toBeNull();
  });

  test("is in no dump of the database, and in no line of the server's log", async () => {
    expect(
      aviary
        .traces(await dumpOf(server))
        .filter(isSecret)
        .slice(0, mostShown),
    ).toEqual([]);
    expect(aviary.traces(server.logged.join("\n")).slice(0, mostShown)).toEqual([]);
  });

  test("is in no line of the runner's log, and in no file of its home once the run is settled", async () => {
    await expect
      .poll(async () => aviary.traces(await runner.files()).slice(0, mostShown), { timeout: 20_000 })
      .toEqual([]);
    expect(aviary.traces(runner.log()).slice(0, mostShown)).toEqual([]);
    expect(runner.log()).toContain("runId");
  });

  test("would be found: what is no secret is in the log, the events, the streams and the dump", async () => {
    for (const where of ["the log", "the list of events", "the stream of events", "the same stream again"]) {
      expect(aviary.traces(told.get(where) ?? "").join("\n"), where).toContain("planted in the harmless note");
    }
    expect(aviary.traces(await dumpOf(server)).join("\n")).toContain("planted in the harmless note");
  });

  const isSecret = (trace: string): boolean => !trace.startsWith("planted in the harmless note");
});
