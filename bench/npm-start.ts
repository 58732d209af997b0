import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { controlFolder, inquire } from "@roster/control-socket";
import { freePort } from "../scripts/free-port.mjs";
import { interruption } from "./interruption.ts";

/** A running `npm start`. */
export interface Started {
  /** From the command to the first answer that says the database is there. */
  readonly seconds: number;
  /** The process that answers at one of the home's control sockets. */
  pidOf(program: "launcher" | "server"): Promise<number>;
  /** Ends it as a signal from the terminal would. */
  stop(): Promise<void>;
}

const lookEveryMs = 10;
const patienceMs = 120_000;

/** Runs `npm start` in a tree and waits until the service answers. */
export async function npmStart(tree: string, home: string): Promise<Started> {
  const port = await freePort();
  const begin = performance.now();
  const npm = spawn("npm", ["start", "--silent"], {
    cwd: tree,
    env: { ...ownEnvironment(process.env), SERVICE_HOME: home, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    signal: interruption.signal,
  });
  const ended = new Promise<void>((resolve) => {
    npm.once("exit", () => resolve());
    npm.once("error", () => resolve());
  });
  const stop = async (): Promise<void> => {
    const launcher = await pidOf(home, "launcher").catch(() => null);
    if (launcher === null) npm.kill();
    else process.kill(launcher, "SIGTERM");
    await ended;
  };
  try {
    await healthy(npm, port);
    return { seconds: (performance.now() - begin) / 1000, pidOf: (program) => pidOf(home, program), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function healthy(npm: ChildProcess, port: number): Promise<void> {
  let said = "";
  for (const stream of [npm.stdout, npm.stderr]) stream?.on("data", (text) => (said += String(text)));
  const until = performance.now() + patienceMs;
  while (!(await isHealthy(port))) {
    if (npm.exitCode !== null || npm.signalCode !== null) throw new Error(`npm start has ended: ${said}`);
    if (said.includes("Installing")) throw new Error("npm start installs packages; that is not what is timed here");
    if (performance.now() > until) throw new Error(`npm start does not answer: ${said}`);
    await pause(lookEveryMs);
  }
}

async function isHealthy(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
  if (response === null) return false;
  const { database } = (await response.json()) as { database?: string };
  return response.ok && database === "ok";
}

async function pidOf(home: string, program: string): Promise<number> {
  const found = await inquire(join(await controlFolder(home), `${program}.sock`));
  if (found === null) throw new Error(`no ${program} answers on ${home}`);
  found.release();
  return found.identity.pid;
}

/** Without what an operator has set for another home, or the npm that runs this measurement for itself. */
function ownEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = /^npm_|^INIT_CWD$|^SERVICE_|^DATABASE_URL$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
