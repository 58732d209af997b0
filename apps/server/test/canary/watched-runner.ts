import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = new URL("../../../../", import.meta.url).pathname;

/** A runner as it is shipped, of which everything can be read that it leaves behind. */
export interface WatchedRunner {
  /** All that it said on its outputs, which is its log. */
  log(): string;
  /** Every file below its home, name and content. */
  files(): Promise<string>;
  /** Ends it and removes all of it. */
  close(): Promise<void>;
}

/** Builds the runner and starts it against a server. */
export async function startWatchedRunner(url: string, token: string): Promise<WatchedRunner> {
  // Inside the repository, so that what is not bundled is found in its node_modules.
  const built = await mkdtemp(join(root, "apps/server/.built-"));
  const home = await mkdtemp(join(tmpdir(), "roster-canary-"));
  await promisify(execFile)(process.execPath, ["scripts/build.mjs", built], { cwd: root });
  await writeFile(join(home, "runner.token"), `${token}\n`, { mode: 0o600 });
  const own = { HOME: home, SERVICE_HOME: home, SERVICE_RUNNER_URL: url, SERVICE_CONTROL_SOCKET: join(home, "s") };
  const child = spawn(process.execPath, [join(built, "runner.js")], {
    env: { PATH: process.env["PATH"] ?? "", SERVICE_LOG_LEVEL: "trace", ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
    });
  }
  return {
    log: () => said,
    files: () => filesBelow(home),
    close: async () => {
      child.kill("SIGTERM");
      await exit;
      await Promise.all([built, home].map((folder) => rm(folder, { recursive: true })));
    },
  };
}

async function filesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? `${path}\n${await readFile(path, "latin1").catch(() => "")}` : path;
  });
  return (await Promise.all(texts)).join("\n");
}
