import { createClient } from "@roster/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Child } from "./fixture/child.ts";
import { eventually, type House, house, type Programs, realPrograms } from "./fixture/house.ts";

const lines = 40;
const printing = `i=0; while [ $i -lt ${lines} ]; do echo "line $i"; i=$((i + 1)); sleep 0.1; done`;
const whole = Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");
const finals = ["succeeded", "failed", "timed_out", "cancelled", "lost"];

let programs: Programs;
beforeAll(async () => {
  programs = await realPrograms();
});
afterAll(() => programs.remove());

/** Starts Roster on a home, a run that prints on it, and waits until it has printed some lines. */
async function printingRun(here: House): Promise<{ runId: string; companyId: string; launcher: Child }> {
  const launcher = await launched(here);
  const client = createClient({ baseUrl: `http://localhost:${here.port}` });
  const company = await client.companies.create({ body: { name: "Acme" } });
  const adapterConfig = { command: "/bin/sh", args: ["-c", printing] };
  const agent = await client.agents.create({
    params: { companyId: company.id },
    body: { name: "Printer", adapterType: "process", adapterConfig },
  });
  const { run } = await client.runs.wakeup({ params: { agentId: agent.id }, body: {} });
  const runId = run?.id ?? "";
  await eventually("some lines", async () => ((await logOf(here, runId)).includes("line 3\n") ? true : null));
  return { runId, companyId: company.id, launcher };
}

async function launched(here: House): Promise<Child> {
  const launcher = here.run({ args: [programs.launcher], env: {} });
  await launcher.saying("Local trusted mode");
  return launcher;
}

async function logOf({ port }: House, runId: string): Promise<string> {
  const client = createClient({ baseUrl: `http://localhost:${port}` });
  return Buffer.from(await client.runs.log({ params: { runId } })).toString();
}

async function kill(here: House, launcher: Child, victims: readonly string[]): Promise<void> {
  const pids = {
    launcher: launcher.pid,
    server: (await here.who("server"))?.pid ?? 0,
    runner: (await here.who("runner"))?.pid ?? 0,
    database: (await here.databases())[0] ?? 0,
  };
  for (const victim of victims) process.kill(pids[victim as keyof typeof pids], "SIGKILL");
  if (!victims.includes("launcher")) return;
  await launcher.ended;
  await launched(here);
}

describe.concurrent("P5, P7: kill -9 during a run that prints", () => {
  it.each([
    ["the server", ["server"]],
    ["the runner", ["runner"]],
    ["server and runner", ["server", "runner"]],
    ["the database", ["database"]],
    ["everything but the program", ["launcher", "server", "runner", "database"]],
  ])(
    "of %s: one final state, every line once",
    async (_title, victims) => {
      const here = await house();
      try {
        const { runId, companyId, launcher } = await printingRun(here);
        await kill(here, launcher, victims);
        const client = createClient({ baseUrl: `http://localhost:${here.port}` });
        const run = await eventually("the end of the run", async () => {
          const seen = await client.runs.get({ params: { runId } }).catch(() => null);
          return seen !== null && finals.includes(seen.status) ? seen : null;
        });
        expect(run).toMatchObject({ status: "succeeded", exitCode: 0, log: { bytes: whole.length, truncated: false } });
        expect(await logOf(here, runId)).toBe(whole);
        const { items } = await client.activity.list({ params: { companyId }, query: { limit: 100 } });
        const moves = items.map(({ action }) => action).filter((action) => action.startsWith("run."));
        expect(moves).toEqual(["run.finished", "run.started", "run.claimed"]);
        expect((await client.runs.list({ params: { companyId } })).items).toHaveLength(1);
      } finally {
        await here.clear();
      }
    },
    90_000,
  );
});
