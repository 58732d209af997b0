import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type Client, createClient } from "@roster/client";
import type { Issue, Run, RunEvent } from "@roster/contract";
import { type ScriptedModel, startScriptedModel } from "@roster/testing/scripted-model";
import type { OwnRoster } from "../../demo/own-roster.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const finals = ["succeeded", "failed", "timed_out", "cancelled", "lost"];
const patienceMs = 100_000;

/** A Roster as `npm start` starts it on an empty home, an account that nobody has signed in to, and a scripted model. */
export interface Stage {
  readonly board: Client;
  readonly model: ScriptedModel;
  /** Home of the account that agents work under. */
  readonly account: string;
  readonly companyId: string;
  issue(assigneeAgentId: string, title: string): Promise<Issue>;
  /** The run about this issue that comes after those that were seen, once it is over. */
  nextRun(issueId: string): Promise<Run>;
  events(runId: string): Promise<readonly RunEvent[]>;
  close(): Promise<void>;
}

/** Builds and starts everything; the tree that is started has no sources, so nothing is installed or built again. */
export async function setStage(): Promise<Stage> {
  const ends: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const account = await realpath(await mkdtemp(join(tmpdir(), "roster-account-")));
    ends.push(() => rm(account, { recursive: true, force: true, maxRetries: 3 }));
    const model = await startScriptedModel();
    ends.push(() => model.close());
    const board = createClient({ baseUrl: await startRoster(account, ends) });
    const { id: companyId } = await board.companies.create({ body: { name: "Acme" } });
    const seen = new Set<string>();
    return {
      ...{ board, model, account, companyId, close },
      issue: (assigneeAgentId, title) =>
        board.issues.create({ params: { companyId }, body: { title, assigneeAgentId } }),
      nextRun: (issueId) => nextRun(board, { companyId, issueId, seen }),
      events: async (runId) => (await board.runs.events({ params: { runId }, query: { limit: 200 } })).items,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Answers its address. */
async function startRoster(account: string, ends: (() => Promise<unknown>)[]): Promise<string> {
  await mkdir(join(root, ".cache"), { recursive: true });
  const tree = await mkdtemp(join(root, ".cache", "agents-tree-"));
  ends.push(() => rm(tree, { recursive: true }));
  for (const name of ["package.json", "demo", "scripts/start.mjs", "scripts/free-port.mjs"]) {
    await cp(join(root, name), join(tree, name), { recursive: true });
  }
  await promisify(execFile)(process.execPath, [join(root, "scripts/build.mjs"), join(tree, "dist")]);
  const { OwnRoster: Own } = (await import(pathToFileURL(join(tree, "demo/own-roster.mjs")).href)) as {
    OwnRoster: new () => OwnRoster;
  };
  // Programs leave things in both.
  process.env["HOME"] = account;
  process.env["TMPDIR"] = join(account, "tmp");
  await mkdir(process.env["TMPDIR"]);
  const roster = new Own();
  ends.push(async () => {
    await roster.stop();
    await roster.remove();
  });
  await roster.start(new AbortController().signal);
  return roster.url;
}

interface Watched {
  readonly companyId: string;
  readonly issueId: string;
  readonly seen: Set<string>;
}

async function nextRun(board: Client, { companyId, issueId, seen }: Watched): Promise<Run> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const { items } = await board.runs.list({ params: { companyId }, query: { limit: 50 } });
    const run = items.find((each) => each.issueId === issueId && !seen.has(each.id) && finals.includes(each.status));
    if (run !== undefined) {
      seen.add(run.id);
      return run;
    }
    await pause(100);
  }
  const { items } = await board.runs.list({ params: { companyId }, query: { limit: 10 } });
  throw new Error(`No run about the issue ended: ${JSON.stringify(items, null, 1)}`);
}
