import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const root = new URL("../../../", import.meta.url).pathname;

/** The server as it is shipped, built into a folder of its own. */
export interface BuiltServer {
  /** Starts it as a process on a database; resolves when it listens. */
  start(databaseUrl: string): Promise<ServerProcess>;
  remove(): Promise<void>;
}

/** A running server that a test may kill. */
export interface ServerProcess {
  readonly url: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Builds the server. */
export async function buildServer(): Promise<BuiltServer> {
  // Inside the repository, so that what is not bundled is found in its node_modules.
  const folder = await mkdtemp(join(root, "apps/server/.built-"));
  await promisify(execFile)(process.execPath, ["scripts/build.mjs", folder], { cwd: root });
  return {
    start: (databaseUrl) => startProcess(folder, databaseUrl),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function startProcess(home: string, databaseUrl: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(home, "server.js")], {
    env: {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: databaseUrl,
      SERVICE_HOME: home,
      SERVICE_SECRETS_KEY: "11".repeat(32),
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await listening(child);
  return {
    url,
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function listening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    if (msg === "listening" && url !== undefined) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error("the server ended before it listened");
}
