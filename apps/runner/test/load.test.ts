import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { Server } from "../src/calling/server.ts";
import { tokenFile } from "../src/calling/token-file.ts";
import { createLog } from "../src/log.ts";
import { startRunner } from "../src/runner.ts";
import { openRunnerHome } from "../src/runner-home.ts";
import { carriersOf } from "../src/survivors.ts";
import { controlPlane, logOf } from "./fixture/control-plane.ts";
import { eventually } from "./fixture/place.ts";
import { buildRunner, plainOrder, type Stage, stage } from "./fixture/runner-process.ts";

const mebibyte = 1024 * 1024;
let built: Awaited<ReturnType<typeof buildRunner>>;
let here: Stage;

beforeAll(async () => {
  built = await buildRunner();
  return built.remove;
});
beforeEach(async () => {
  here = await stage(built.entry);
  return async () => expect(await here.clear()).toEqual({ pids: [] });
});

async function peakKib(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);
}

it("a program that prints 300 MB is ended at the cap, and its beginning and its end are told in flat memory", async () => {
  const runner = here.start();
  const script =
    "i=0; while [ $i -lt 30 ]; do head -c 10000000 /dev/zero | tr '\\0' x; echo; i=$((i+1)); done; exec sleep 1000";
  const run = here.queue(script);
  const outcome = await here.settled(run);
  expect(outcome).toMatchObject({ code: "output_limit", limit: null });
  const log = logOf(run);
  expect(log.length).toBeLessThan(10 * mebibyte);
  expect(log.length).toBeGreaterThan(8 * mebibyte);
  const gap = run.events.find(({ kind }) => kind === "gap")?.data?.["bytes"];
  expect(Number(gap)).toBeGreaterThan(200 * mebibyte);
  process.stderr.write(`Runner at most: ${Math.round((await peakKib(runner.pid)) / 1024)} MiB\n`);
  expect(await peakKib(runner.pid)).toBeLessThan(300 * 1024);
}, 120_000);

it("many runs that print at once are all whole", async () => {
  here.start();
  const lines = Array.from({ length: 20_000 }, (_, n) => `${n}\n`).join("");
  const runs = Array.from({ length: 12 }, () => here.queue("seq 0 19999; echo bye >&2"));
  for (const run of runs) {
    expect((await here.settled(run)).code).toBe("ok");
    expect(logOf(run).toString()).toBe(lines);
    expect(logOf(run, "stderr").toString()).toBe("bye\n");
  }
});

it("runs that no server has been heard of for too long are ended, and told of when one is back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roster-orphan-"));
  const plane = await controlPlane();
  await writeFile(join(folder, "token"), "svr_good");
  const server = new Server(
    plane.url,
    tokenFile(join(folder, "token"), () => undefined),
  );
  const home = await openRunnerHome(folder);
  const limits = { extendEverySec: 0.05, orphanAfterSec: 1 };
  const options = { home, server, log: createLog("silent"), capacity: 2, labels: [], ...limits };
  const runner = await startRunner(options);
  const run = plane.queue(plainOrder("echo ready; exec sleep 1000"));
  await eventually("the run", async () => (logOf(run).length > 0 ? true : null));
  await plane.goAway();
  await eventually("its end", async () => ((await carriersOf(run.order.runId)).length === 0 ? true : null));
  await plane.comeBack();
  const outcome = await eventually("the settlement", async () => run.outcomes[0] ?? null);
  expect(outcome).toMatchObject({ code: "runner_lost", signal: "SIGTERM" });
  await runner.stop();
  await plane.close();
  await rm(folder, { recursive: true });
});
