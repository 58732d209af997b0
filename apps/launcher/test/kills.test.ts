import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Child } from "./fixture/child.ts";
import { eventually, type House, house, type Programs, realPrograms } from "./fixture/house.ts";
import { createCompany, healthy, readCompany } from "./fixture/roster.ts";

let programs: Programs;
let here: House;

beforeAll(async () => {
  programs = await realPrograms();
  return programs.remove;
});

beforeEach(async () => {
  here = await house();
});

afterEach(async () => {
  await here.clear();
});

async function launched(): Promise<Child> {
  const launcher = here.run({ args: [programs.launcher], env: {} });
  await launcher.saying("Local trusted mode");
  return launcher;
}

const kinds = ["launcher", "server", "database", "runner"] as const;
const subsets = Array.from({ length: 2 ** kinds.length - 1 }, (_, index) => index + 1).map((bits) =>
  kinds.filter((_, index) => (bits & (1 << index)) !== 0),
);

describe("kill -9", () => {
  it.each(subsets.map((victims) => ({ victims, title: victims.join(", ") })))(
    "of $title loses nothing acknowledged; after the next start one of each runs and answers",
    async ({ victims }) => {
      const first = await launched();
      const company = await createCompany(here.port, "Acme");
      const before = {
        launcher: first.pid,
        server: (await here.who("server"))?.pid ?? 0,
        database: (await here.databases())[0] ?? 0,
        runner: (await here.who("runner"))?.pid ?? 0,
      };
      for (const victim of victims) process.kill(before[victim], "SIGKILL");
      const last = await startAgain(first, victims.includes("launcher"));

      await eventually("health", () => healthy(here.port));
      if (victims.includes("runner")) await here.whoElse("runner", before.runner);
      expect(await readCompany(here.port, company.id)).toEqual(company);
      const after = {
        launcher: (await here.who("launcher"))?.pid,
        server: (await here.who("server"))?.pid,
        database: (await here.databases())[0],
        runner: (await here.who("runner"))?.pid,
      };
      for (const kind of kinds) expect(after[kind] === before[kind]).toBe(!victims.includes(kind));
      expect(await here.databases()).toHaveLength(1);
      expect(await here.processes()).toHaveLength(kinds.length);
      last.signal("SIGTERM");
      expect((await last.ended).code).toBe(0);
      expect(await here.processes()).toEqual([]);
    },
  );

  /** Starts on the home whatever lives there. Resolves with the launcher that holds it then. */
  async function startAgain(first: Child, launcherDied: boolean): Promise<Child> {
    if (launcherDied) {
      await first.ended;
      return await launched();
    }
    const second = here.run({ args: [programs.launcher], env: {} });
    await second.saying(`already runs on this home at http://localhost:${here.port} (pid ${first.pid})`);
    expect((await second.ended).code).toBe(0);
    return first;
  }
});
