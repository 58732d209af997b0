import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The real runner, as a process of its own with a home of its own. */
export interface RunnerProcess {
  readonly pid: number;
  /** Rejects when it ends by itself. */
  readonly died: Promise<never>;
  stop(): Promise<void>;
}

/** A runner to be started. */
export interface RunnerStart {
  /** Of its server. */
  readonly url: string;
  readonly token: string;
  /** For Node.js. */
  readonly execArgv: readonly string[];
}

/** Starts a runner. */
export async function startRunner({ url, token, execArgv }: RunnerStart): Promise<RunnerProcess> {
  const home = await mkdtemp(join(tmpdir(), "roster-bench-runner-"));
  await writeFile(join(home, "runner.token"), `${token}\n`, { mode: 0o600 });
  const program = fileURLToPath(new URL("./runner.js", import.meta.url));
  const child = spawn(process.execPath, [...execArgv, program], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      SERVICE_HOME: home,
      SERVICE_RUNNER_URL: url,
      SERVICE_LOG_LEVEL: "error",
    },
    // Standard output is for the report.
    stdio: ["ignore", 2, 2],
  });
  const exit = once(child, "exit");
  const died = exit.then(() => Promise.reject(new Error("the runner has ended")));
  died.catch(() => undefined);
  return {
    died,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGTERM");
      await exit;
      await rm(home, { recursive: true, force: true });
    },
  };
}
