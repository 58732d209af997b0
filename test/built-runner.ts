import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The runner as it is shipped. */
export interface BuiltRunner {
  /** Starts it against a server, with a home of its own. Answers what stops it and removes that home. */
  start(url: string, token: string): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/** Builds the runner, below the tree, where it finds the packages. */
export async function buildRunner(): Promise<BuiltRunner> {
  await mkdir(join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(root, ".cache", "docs-"));
  const programs = join(folder, "dist");
  const remove = (): Promise<void> => rm(folder, { recursive: true });
  await promisify(execFile)(process.execPath, [join(root, "scripts/build.mjs"), programs]).catch(async (error) => {
    await remove();
    throw error;
  });
  return { start: (url, token) => startRunner(join(programs, "runner.js"), url, token), remove };
}

async function startRunner(program: string, url: string, token: string): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "roster-docs-"));
  await writeFile(join(home, "runner.token"), `${token}\n`, { mode: 0o600 });
  const own = { HOME: home, SERVICE_HOME: home, SERVICE_RUNNER_URL: url, SERVICE_CONTROL_SOCKET: join(home, "s") };
  const env = { PATH: process.env["PATH"] ?? "", SERVICE_LOG_LEVEL: "warn", ...own };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", 2, 2] });
  const exit = once(child, "exit");
  return async () => {
    child.kill("SIGTERM");
    await exit;
    await rm(home, { recursive: true });
  };
}
