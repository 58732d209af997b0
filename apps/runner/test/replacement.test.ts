import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { carriersOf } from "../src/survivors.ts";
import { logOf, type PlannedRun } from "./fixture/control-plane.ts";
import { eventually } from "./fixture/place.ts";
import { buildRunner, plainOrder, type Stage, stage } from "./fixture/runner-process.ts";

let built: Awaited<ReturnType<typeof buildRunner>>;
let here: Stage;
let pids: string;

beforeAll(async () => {
  built = await buildRunner();
  return built.remove;
});
beforeEach(async () => {
  here = await stage(built.entry);
  pids = join(here.home, "pids");
  return async () => expect(await here.clear()).toEqual({ pids: [] });
});

/** Deaf to SIGTERM, with many children that have left its process group: none of it is gone at once. */
const stubborn = () =>
  `trap '' TERM; echo $$ >>${pids}; i=0; while [ $i -lt 40 ]; do setsid sleep 1000 & echo $! >>${pids}; i=$((i+1)); done; ` +
  "echo ready; while :; do sleep 0.05; done";
/** Says which of them it finds alive; what is dead and not yet buried is not. */
const looking = () =>
  `for p in $(cat ${pids}); do case "$(cat /proc/$p/stat 2>/dev/null)" in "" | *") Z "*) ;; *) echo "alive $p" ;; esac; ` +
  "done; echo looked";

async function hasSaid(run: PlannedRun, text: string): Promise<void> {
  await eventually(`"${text}"`, async () => (String(logOf(run)).includes(text) ? true : null));
}

describe.runIf(process.platform === "linux")("what takes the place of a run whose lease was lost", () => {
  it("starts only after all of the old one is gone, on the same runner", async () => {
    here.start();
    const { agentId, companyId } = plainOrder("");
    const lost = here.queue(stubborn(), { agentId, companyId });
    await hasSaid(lost, "ready\n");
    here.plane.takeAway(lost.order.runId);
    const next = here.queue(looking(), { agentId, companyId });
    expect(await here.settled(next)).toMatchObject({ code: "ok" });
    expect(String(logOf(next))).toBe("looked\n");
    expect(lost.outcomes).toEqual([]);
  });

  it("starts only after all of the old one is gone, also when the runner was killed and has come back", async () => {
    const runner = here.start();
    const { agentId, companyId } = plainOrder("");
    const lost = here.queue(stubborn(), { agentId, companyId });
    await hasSaid(lost, "ready\n");
    await runner.kill();
    here.plane.takeAway(lost.order.runId);
    const next = here.queue(looking(), { agentId, companyId });
    here.start();
    expect(await here.settled(next)).toMatchObject({ code: "ok" });
    expect(String(logOf(next))).toBe("looked\n");
    for (const folder of ["spool", "runs"]) {
      await eventually("a tidy home", async () =>
        (await readdir(join(here.home, "runner", folder))).length === 0 ? true : null,
      );
    }
    expect(lost.outcomes).toEqual([]);
  });

  it("does not wait for what another agent is doing", async () => {
    here.start();
    const busy = here.queue("echo ready; while :; do sleep 0.05; done");
    await hasSaid(busy, "ready\n");
    const next = here.queue("echo hello", { replaces: plainOrder("").runId });
    expect(await here.settled(next)).toMatchObject({ code: "ok" });
    here.plane.end(busy.order.runId, "cancelled");
    expect(await here.settled(busy)).toMatchObject({ code: "cancelled" });
  });

  it("ends what is left of the old one itself, where that was another runner's of this machine that sleeps", async () => {
    const asleep = here.start();
    const lost = here.queue(stubborn());
    await hasSaid(lost, "ready\n");
    asleep.signal("SIGSTOP");
    here.plane.takeAway(lost.order.runId);
    const home = await mkdtemp(join(tmpdir(), "roster-other-"));
    await writeFile(join(home, "runner.token"), "svr_good\n", { mode: 0o600 });
    const awake = here.start({ SERVICE_HOME: home, SERVICE_CONTROL_SOCKET: join(home, "s") });
    const next = here.queue(looking(), { replaces: lost.order.runId });
    expect(await here.settled(next)).toMatchObject({ code: "ok" });
    expect(String(logOf(next))).toBe("looked\n");
    asleep.signal("SIGCONT");
    await eventually("a tidy home", async () =>
      (await readdir(join(here.home, "runner", "spool"))).length === 0 ? true : null,
    );
    expect(await carriersOf(lost.order.runId)).toEqual([]);
    expect(lost.outcomes).toEqual([]);
    await awake.kill();
    await rm(home, { recursive: true });
  });
});
