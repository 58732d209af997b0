import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { testKey } from "./test-server.ts";

const root = new URL("../../../", import.meta.url).pathname;

/** The server as it is shipped, built into a folder of its own. */
export interface BuiltServer {
  /** Starts it as a process on a database; resolves when it listens. */
  start(databaseUrl: string): Promise<ServerProcess>;
  /** The same with settings of its own, not waiting for anything. */
  begin(databaseUrl: string, settings: Readonly<Record<string, string>>): BegunServer;
  remove(): Promise<void>;
}

/** A running server that a test may kill. */
export interface ServerProcess {
  readonly url: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** A server that may never come to listen. */
export interface BegunServer {
  /** Where it listens; rejects when it ends before that. */
  readonly url: Promise<string>;
  /** Resolves when it is gone, with its exit code and with what it said as sentences, not as log. */
  readonly ended: Promise<{ code: number | null; said: string }>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Builds the server. */
export async function buildServer(): Promise<BuiltServer> {
  // Inside the repository, so that what is not bundled is found in its node_modules.
  const folder = await mkdtemp(join(root, "apps/server/.built-"));
  await promisify(execFile)(process.execPath, ["scripts/build.mjs", folder], { cwd: root });
  return {
    start: async (databaseUrl) => {
      const { url, kill } = beginProcess(folder, databaseUrl, {});
      return { url: await url, kill };
    },
    begin: (databaseUrl, settings) => beginProcess(folder, databaseUrl, settings),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function beginProcess(home: string, databaseUrl: string, settings: Readonly<Record<string, string>>): BegunServer {
  const child = spawn(process.execPath, [join(home, "server.js")], {
    env: {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: databaseUrl,
      SERVICE_HOME: home,
      SERVICE_SECRETS_KEY: testKey,
      PORT: "0",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    said += piece;
  });
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, said }));
  });
  const url = listening(child).catch(async () => {
    throw new Error(`the server ended before it listened: ${(await ended).said}`);
  });
  // Who does not wait for it need not hear that it never came to that.
  url.catch(() => undefined);
  return {
    url,
    ended,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
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
