import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { carriersOf } from "../src/survivors.ts";
import { logOf, type PlannedRun } from "./fixture/control-plane.ts";
import { eventually } from "./fixture/place.ts";
import { buildRunner, plainOrder, type RunnerProcess, type Stage, stage, textIn } from "./fixture/runner-process.ts";

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

const counting = (lines: number, then = "exit 7") =>
  `i=0; while [ $i -lt ${lines} ]; do echo "line $i"; echo "error $i" >&2; ` +
  `echo "{\\"type\\":\\"message\\",\\"text\\":\\"$i\\"}"; i=$((i+1)); sleep 0.1; done; ${then}`;

const upTo = (lines: number, word: string) => Array.from({ length: lines }, (_, n) => `${word} ${n}\n`).join("");

/** Each line, each error and each message of a counting script, once; and one end. */
function expectWhole(run: PlannedRun, lines: number): void {
  expect(String(logOf(run))).toBe(upTo(lines, "line"));
  expect(String(logOf(run, "stderr"))).toBe(upTo(lines, "error"));
  const messages = run.events.filter(({ kind }) => kind === "message").map(({ data }) => data?.["text"]);
  expect(messages).toEqual(Array.from({ length: lines }, (_, n) => `${n}`));
  expect(run.outcomes).toHaveLength(1);
}

async function hasSaid(run: PlannedRun, text: string): Promise<void> {
  await eventually(`"${text}"`, async () => (String(logOf(run)).includes(text) ? true : null));
}

async function gone(run: PlannedRun): Promise<void> {
  await eventually("the end of its processes", async () =>
    (await carriersOf(run.order.runId)).length === 0 ? true : null,
  );
}

async function tidy(): Promise<void> {
  for (const folder of ["spool", "runs"]) {
    await eventually("a tidy home", async () =>
      (await readdir(join(here.home, "runner", folder))).length === 0 ? true : null,
    );
  }
}

describe("a server", () => {
  it("that is away while a run goes on costs nothing: each line once, and one end", async () => {
    here.start();
    const run = here.queue(counting(15));
    await hasSaid(run, "line 3\n");
    await here.plane.goAway();
    // It ends while nobody can be told.
    await gone(run);
    await here.plane.comeBack();
    expect(await here.settled(run)).toMatchObject({ code: "agent_error", exitCode: 7 });
    expectWhole(run, 15);
    await tidy();
  });

  it.each(["claim", "start", "events", "settle", "extend"] as const)(
    "that does what %s asks and loses its answers is asked again, and nothing is twice",
    async (operation) => {
      here.start();
      here.plane.fail(operation, 3, "unanswered");
      const run = here.queue(counting(8));
      expect(await here.settled(run)).toMatchObject({ exitCode: 7 });
      await tidy();
      expectWhole(run, 8);
    },
  );

  it.each(["claim", "start", "events", "settle"] as const)("that fails at %s is asked again", async (operation) => {
    here.start();
    here.plane.fail(operation, 3, 500);
    const run = here.queue(counting(8));
    expect(await here.settled(run)).toMatchObject({ exitCode: 7 });
    expectWhole(run, 8);
  });

  it("that refuses events as they are gets the rest and the end", async () => {
    here.start();
    const run = here.queue("echo lost; while ! test -e go; do sleep 0.02; done; echo told");
    here.plane.fail("events", 1, 400);
    await eventually("the start", async () => (run.starts === 1 ? true : null));
    const { companyId, agentId } = run.order;
    await eventually("the refused call", async () => (here.plane.failuresLeft("events") === 0 ? true : null));
    await writeFile(join(here.home, "runner", "work", companyId, agentId, "go"), "");
    expect(await here.settled(run)).toMatchObject({ code: "ok" });
    expect(String(logOf(run))).toBe("told\n");
  });
});

describe("a lease that was given to somebody else", () => {
  it.each(["exec sleep 1000", counting(1000)])("ends the program without a word (%s)", async (script) => {
    here.start();
    const run = here.queue(`echo ready; setsid sleep 1000 & ${script}`);
    await hasSaid(run, "ready\n");
    here.plane.takeAway(run.order.runId);
    await gone(run);
    await tidy();
    expect(run.outcomes).toEqual([]);
  });

  it("and came back with a later claim is a new start, after the old program is gone", async () => {
    here.start();
    const order = plainOrder("echo $$; exec sleep 1000");
    const first = here.queue("", order);
    await hasSaid(first, "\n");
    const second = here.queue("", { ...order, epoch: 2, adapterConfig: { command: "echo again", shell: true } });
    expect(await here.settled(second)).toMatchObject({ code: "ok" });
    expect(String(logOf(second))).toBe("again\n");
    expect(first.outcomes).toEqual([]);
  });
});

describe("a runner killed with -9", () => {
  it("while a program prints, again and again, has every line once and one end", async () => {
    let runner = here.start();
    const run = here.queue(counting(25));
    for (const line of [4, 9, 14]) {
      await hasSaid(run, `line ${line}\n`);
      await runner.kill();
      runner = here.start();
    }
    expect(await here.settled(run)).toMatchObject({ code: "agent_error", exitCode: 7 });
    expectWhole(run, 25);
    expect(run.starts).toBe(1);
    await tidy();
  });

  it("while a program empties its own output goes on after what was told", async () => {
    const runner = here.start();
    const wait = "while ! test -e go; do sleep 0.02; done";
    const run = here.queue(`echo a long first line; ${wait}; echo second >/dev/stdout; echo third; exec sleep 1000`);
    await hasSaid(run, "first line\n");
    const { companyId, agentId, runId } = run.order;
    await writeFile(join(here.home, "runner", "work", companyId, agentId, "go"), "");
    await hasSaid(run, "third\n");
    await runner.kill();
    here.start();
    here.plane.end(runId, "cancelled");
    await here.settled(run);
    expect(String(logOf(run))).toBe("a long first line\nsecond\nthird\n");
  });

  it("at whatever moment of a short run, tells it whole and once", async () => {
    for (let round = 0; round < 8; round += 1) {
      const runner = here.start();
      const run = here.queue("echo hello; exit 3");
      await eventually("the claim", async () => (run.leased ? true : null));
      // What a run needs takes tens of milliseconds; each round strikes at another of them.
      await new Promise((strike) => setTimeout(strike, round * 8));
      await runner.kill();
      const next = here.start();
      expect(await here.settled(run)).toMatchObject({ exitCode: 3 });
      expect(String(logOf(run))).toBe("hello\n");
      expect(run.outcomes).toHaveLength(1);
      await tidy();
      await next.kill();
    }
  });

  it("leaves a run whose end it learns when it is back, also when it was asked for meanwhile", async () => {
    const runner = here.start();
    const [ended, cancelled] = [here.queue("echo ready; sleep 0.3; exit 4"), here.queue("echo ready; exec sleep 1000")];
    await Promise.all([hasSaid(ended, "ready"), hasSaid(cancelled, "ready")]);
    await runner.kill();
    await gone(ended);
    here.plane.end(cancelled.order.runId, "cancelled");
    here.start();
    expect(await here.settled(ended)).toMatchObject({ code: "agent_error", exitCode: 4 });
    expect(await here.settled(cancelled)).toMatchObject({ code: "cancelled", signal: "SIGTERM" });
  });

  it("leaves a run that it drops when it is back and the run is somebody else's", async () => {
    const runner = here.start();
    const run = here.queue("echo ready; exec sleep 1000");
    await hasSaid(run, "ready");
    await runner.kill();
    here.plane.takeAway(run.order.runId);
    here.start();
    await gone(run);
    await tidy();
    expect(run.outcomes).toEqual([]);
  });

  it("and back while the server is away keeps the limits, and tells later", async () => {
    const runner = here.start();
    const { limits } = plainOrder("");
    const run = here.queue("echo ready; exec sleep 1000", { limits: { ...limits, silenceSec: 1.5 } });
    await hasSaid(run, "ready");
    await runner.kill();
    await here.plane.goAway();
    here.start();
    await gone(run);
    await here.plane.comeBack();
    expect(await here.settled(run)).toMatchObject({ code: "timed_out", limit: "silence" });
  });
});

describe("a runner that is stopped", () => {
  const signals = ["SIGTERM", "SIGINT"] as const;

  it.each(signals)("by %s ends its runs within their grace, tells the server and ends with 0", async (signal) => {
    const runner = here.start();
    const polite = here.queue("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
    const { limits } = plainOrder("");
    const deaf = here.queue("trap '' TERM; echo ready; while :; do sleep 0.05; done", {
      limits: { ...limits, graceSec: 0.5 },
    });
    await Promise.all([hasSaid(polite, "ready"), hasSaid(deaf, "ready")]);
    runner.signal(signal);
    expect(await runner.ended).toBe(0);
    expect(polite.outcomes).toMatchObject([{ code: "service_stop", exitCode: 0 }]);
    expect(deaf.outcomes).toMatchObject([{ code: "service_stop", signal: "SIGKILL" }]);
    expect(String(logOf(polite))).toBe("ready\nbye\n");
    await tidy();
  });

  it("while the server is away ends its runs all the same, and the next start tells", async () => {
    const runner = here.start();
    const run = here.queue("echo ready; exec sleep 1000");
    await hasSaid(run, "ready");
    await here.plane.goAway();
    runner.signal("SIGTERM");
    expect(await runner.ended).toBe(0);
    await gone(run);
    await here.plane.comeBack();
    here.start();
    expect(await here.settled(run)).toMatchObject({ code: "service_stop", signal: "SIGTERM" });
    expect(String(logOf(run))).toBe("ready\n");
    await tidy();
  });

  it("while the server is away and with a run that was never begun ends all the same", async () => {
    const first = here.start();
    here.plane.fail("skill", 1000, 500);
    const run = here.queue("echo begun", { skills: [{ key: "a/b", slug: "b", contentHash: "0".repeat(64) }] });
    const note = join(here.home, "runner", "runs", run.order.runId, "note.json");
    await eventually("its note", async () => ((await textIn(note)) === "" ? null : true));
    await first.kill();
    await here.plane.goAway();
    const second = here.start();
    await eventually("the second", async () => (second.said().includes("running") ? true : null));
    second.signal("SIGTERM");
    expect(await second.ended).toBe(0);
    await here.plane.comeBack();
    here.start();
    expect(await here.settled(run)).toMatchObject({ code: "service_stop" });
    expect(run.starts).toBe(0);
  });

  it("takes no new run", async () => {
    const runner: RunnerProcess = here.start();
    await eventually("a claim", async () => (here.plane.claims.length > 0 ? true : null));
    runner.signal("SIGTERM");
    expect(await runner.ended).toBe(0);
    const run = here.queue("exit 0");
    expect(run.leased).toBe(false);
  });
});
