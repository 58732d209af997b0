import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../scripts/free-port.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const patienceMs = 240_000;

/** A tree that is built and has no sources of the product: it is started as it is, whatever is being changed here. */
let tree: string;
/** In the place of `/tmp`, so that it can be seen what is left there. */
let temporary: string;

beforeAll(async () => {
  await mkdir(join(root, ".cache"), { recursive: true });
  tree = await mkdtemp(join(root, ".cache", "demo-"));
  await mkdir(join(tree, "scripts"));
  for (const name of ["package.json", "demo", "scripts/start.mjs", "scripts/demo.mjs", "scripts/free-port.mjs"]) {
    await cp(join(root, name), join(tree, name), { recursive: true });
  }
  const { code, said } = await ended(spawn(process.execPath, [join(root, "scripts/build.mjs"), join(tree, "dist")]));
  expect(code, said()).toBe(0);
}, patienceMs);

afterAll(async () => {
  await rm(tree, { recursive: true });
});

beforeEach(async () => {
  temporary = await realpath(await mkdtemp(join(tmpdir(), "roster-demo-test-")));
});

afterEach(async () => {
  await rm(temporary, { recursive: true });
});

/** Starts it as a user does, by the command of the tree's package.json or by what that command runs. */
async function demo(command: string, ...args: readonly string[]): Promise<ChildProcess> {
  const { PATH = "", HOME = temporary } = process.env;
  const env = { PATH, HOME, TMPDIR: temporary, PORT: String(await freePort()), npm_config_update_notifier: "false" };
  return spawn(command, [...args], { cwd: tree, env });
}

const byNode = (...args: readonly string[]): Promise<ChildProcess> =>
  demo(process.execPath, "scripts/demo.mjs", ...args);

interface Ended {
  readonly code: number | null;
  /** What it has said on both outputs, also before it has ended. */
  said(): string;
}

function hear(child: ChildProcess): () => string {
  let text = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
  }
  return () => text;
}

async function ended(child: ChildProcess): Promise<Ended> {
  const said = hear(child);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

/** Everything that belongs to a home is gone: the folder, what it has elsewhere, and every process. */
async function expectNothingLeft(said: string): Promise<void> {
  expect(await readdir(temporary)).toEqual([]);
  const home = /in (\S+)\.$/m.exec(said)?.[1] ?? "";
  expect(home).toContain(temporary);
  const { control, database } = elsewhere(home);
  expect(await readdir(control).catch(() => null)).toBeNull();
  expect(await readdir(database).catch(() => null)).toBeNull();
  expect(await processesNaming(temporary)).toEqual([]);
}

function elsewhere(home: string): { control: string; database: string } {
  const key = createHash("sha256").update(home).digest("hex").slice(0, 12);
  return { control: `/tmp/roster-${process.getuid?.() ?? 0}-${key}`, database: `/var/lib/roster/${key}` };
}

/** The processes whose command line or environment names the folder; not ours, and no zombies, which have neither. */
async function processesNaming(folder: string): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const named = await Promise.all(
    pids.map(async (pid) => {
      const files = [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`];
      const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
      return texts.join("\0").includes(folder) ? [pid] : [];
    }),
  );
  return named.flat();
}

function expectInOrder(text: string, sentences: readonly string[]): void {
  let at = 0;
  for (const sentence of sentences) {
    const found = text.indexOf(sentence, at);
    expect(found, `"${sentence}" after:\n${text.slice(0, at)}\n--- in:\n${text.slice(at)}`).toBeGreaterThanOrEqual(0);
    at = found + sentence.length;
  }
}

describe("npm run demo", () => {
  it(
    "tells a company from its first hire to its log, in order, exits 0 and leaves nothing",
    async () => {
      const { code, said } = await ended(await demo("npm", "run", "--silent", "demo"));
      expect(code, said()).toBe(0);
      expectInOrder(said(), [
        "Roster is a control plane for companies of AI agents.",
        "Board    I found the company Acme.",
        "I import a skill, a folder with a SKILL.md: local/greeting",
        "I create ACM-1 “Hire an engineer” and assign it to Grace.",
        "Roster   Grace is woken: ACM-1",
        "Grace    I ask the board to hire Ada, engineer, for ACM-1.",
        "is over: succeeded.",
        "Roster   Ada is pending_approval",
        "Board    I ask for a revision: “Give it a budget and a clearer title.”",
        "Grace    The status is revision_requested.",
        "Grace    I resubmit as version 2",
        "budgetMonthlyCents",
        "Board    I approve version 2",
        "Roster   Ada, Greeting Engineer, is idle",
        "Grace    The status is approved.",
        "Grace    Ada is hired, so I comment on ACM-1 and close it.",
        "I create ACM-2 “Write a greeting” and assign it to Ada.",
        "Ada      I have checked out ACM-2",
        "| Hello from Acme!",
        "| Ada wrote this for ACM-2, and reports to Grace.",
        "ACM-2 is done",
        "I roll back to revision 2.",
        "Revision 4 has the content of revision 2",
        "7. Who did what, and why",
        "The board created the company Acme",
        "Grace asked for approval to hire Ada (engineer)",
        "Grace resubmitted, as version 2: hire Ada (engineer)",
        "The board approved: hire Ada (engineer)",
        "Ada moved ACM-2 “Write a greeting” from in_progress to done",
        "The board rolled the agent Ada back to revision 2",
        "nothing of it is left",
      ]);
      await expectNothingLeft(said());
    },
    patienceMs,
  );

  it(
    "with --keep leaves its home, the file that the agent wrote in it, and nothing that runs",
    async () => {
      const { code, said } = await ended(await byNode("--keep"));
      expect(code, said()).toBe(0);
      const [, home = "", command = ""] = /^Its home (\S+) is left.*\n {2}(.*)$/m.exec(said()) ?? [];
      expect(command).toMatch(new RegExp(`^SERVICE_HOME=${home} PORT=\\d+ npm start$`));
      const files = await readdir(join(home, "runner", "work"), { recursive: true });
      const [greeting = ""] = files.filter((path) => path.endsWith("greeting.txt"));
      expect(await readFile(join(home, "runner", "work", greeting), "utf8")).toMatch(
        /^Hello from Acme!\nAda wrote this/,
      );
      expect(await processesNaming(temporary)).toEqual([]);
      for (const folder of Object.values(elsewhere(home))) await rm(folder, { recursive: true, force: true });
    },
    patienceMs,
  );

  it(
    "ends at an agent that fails: says which, prints what the agent printed, exits 1 and leaves nothing",
    async () => {
      const program = join(tree, "demo/agents/engineer.mjs");
      const good = await readFile(program, "utf8");
      await writeFile(program, 'process.stderr.write("out of ink\\n");\nprocess.exitCode = 7;\n');
      const { code, said } = await ended(await byNode());
      await writeFile(program, good);
      expect(code, said()).toBe(1);
      expectInOrder(said(), ["assign it to Ada", "A run of Ada ended as failed.", "exit code 7", "out of ink"]);
      await expectNothingLeft(said());
    },
    patienceMs,
  );

  it(
    "ends at Ctrl-C in the middle of the story: exits 1 and leaves nothing",
    async () => {
      const child = await byNode();
      const said = hear(child);
      const middle = new Promise<void>((reached) => {
        child.stdout?.on("data", () => {
          if (said().includes("Grace is woken")) reached();
        });
      });
      const closed = once(child, "close");
      await Promise.race([middle, closed]);
      child.kill("SIGINT");
      const [code] = await closed;
      expect(code, said()).toBe(1);
      expectInOrder(said(), ["Grace is woken", "Stopping Roster.", "Ended by SIGINT."]);
      await expectNothingLeft(said());
    },
    patienceMs,
  );

  it("where no Roster answers, says so in a sentence and exits 1", async () => {
    const address = `http://localhost:${await freePort()}`;
    const { code, said } = await ended(await byNode("--url", address));
    expect(code, said()).toBe(1);
    expect(said()).toContain(`No Roster answers at ${address} (ECONNREFUSED).`);
    expect(await readdir(temporary)).toEqual([]);
  });

  it("options that are unknown or contradict each other are a sentence, with those there are", async () => {
    for (const args of [["--fast"], ["--url", "here"], ["--url", "http://localhost:3100", "--keep"]]) {
      const { code, said } = await ended(await byNode(...args));
      expect(code, said()).toBe(1);
      expectInOrder(said(), ["--", "npm run demo -- --url"]);
    }
  });
});
