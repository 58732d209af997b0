import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Child } from "./fixture/child.ts";
import { freshCopy } from "./fixture/fresh-copy.ts";
import { eventually, type House, house } from "./fixture/house.ts";
import { type Company, createCompany, healthy, readCompany } from "./fixture/roster.ts";

const isRoot = process.getuid?.() === 0;
/** An account with an entry in passwd and nothing else. */
const nobody = 65_534;

let copy: Awaited<ReturnType<typeof freshCopy>>;
let here: House;
let theirs: House;
let company: Company;

beforeAll(async () => {
  copy = await freshCopy();
  here = await house();
  theirs = await house(isRoot ? nobody : undefined);
  return async () => {
    await here.clear();
    await theirs.clear();
    await copy.remove();
  };
});

/** `npm start` in a terminal, where npm, its shell and ours are one process group. */
function npmStart(): Child {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_|VITEST|TEST)/.test(name)));
  return here.run({
    command: "npm",
    args: ["start"],
    cwd: copy.path,
    // npm's settings and its cache are in the real home of this account.
    env: { ...(env as Record<string, string>), ...here.env, HOME: env["HOME"] ?? "" },
    detached: true,
  });
}

describe("a fresh copy of the sources", () => {
  it("starts with one command, and Ctrl-C ends all of it in order", async () => {
    const startedAt = performance.now();
    const npm = npmStart();
    await npm.saying("Local trusted mode");
    process.stderr.write(`First start: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
    await eventually("health", () => healthy(here.port));
    company = await createCompany(here.port, "Acme");
    // The terminal sends the signal to the group, and npm sends it on to its child once more.
    process.kill(-npm.pid, "SIGINT");
    await npm.ended;
    expect(await here.processes()).toEqual([]);
  }, 120_000);

  it("starts again at once, with everything still there", async () => {
    const startedAt = performance.now();
    const npm = npmStart();
    await npm.saying("Local trusted mode");
    process.stderr.write(`Later start: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
    expect(await readCompany(here.port, company.id)).toEqual(company);
    const launcher = await here.who("launcher");
    process.kill(launcher?.pid ?? 0, "SIGTERM");
    expect((await npm.ended).code).toBe(0);
    expect(await here.processes()).toEqual([]);
  });

  it.runIf(isRoot)(
    "starts for an account that can only read it, with everything in that account's own home",
    async () => {
      const launcher = theirs.run({
        args: [join(copy.path, "scripts/start.mjs")],
        env: { SERVICE_HOME: "" },
      });
      await launcher.saying("Local trusted mode");
      expect(launcher.said()).toContain(`home      ${theirs.home}\n`);
      expect(launcher.said()).toContain(`database  ${theirs.home}/database/`);
      await createCompany(theirs.port, "Acme");
      for (const pid of await theirs.processes()) expect((await stat(`/proc/${pid}`)).uid).toBe(nobody);
      launcher.signal("SIGINT");
      expect((await launcher.ended).code).toBe(0);
      expect(await theirs.processes()).toEqual([]);
    },
  );
});

if (!isRoot) process.stderr.write("SKIPPED: starting as another account is tested as root only.\n");
