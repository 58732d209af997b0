import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { type Found, inquire } from "@roster/control-socket";
import { lastWords, loggedError } from "./last-words.ts";
import { follow, openLog } from "./log-file.ts";
import type { Ending, Part, Running } from "./part.ts";
import { death, endProcess, signal } from "./process-end.ts";

/** A program of ours that announces itself at a control socket as soon as it does its work. */
export interface Program {
  readonly name: string;
  /** The file that Node runs. */
  readonly entry: string;
  readonly socket: string;
  readonly log: string;
  readonly folder: string;
  readonly build: string;
  readonly settings: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The exit code by which a program says that starting it again would not help: wrong settings, a port in use. */
export const refusalCode = 78;

const lookEveryMs = 50;
const orphanPatienceMs = 1000;
/** A runner ends its runs and tells the server of them first. */
const replaceGraceMs = 20_000;
const lastWorkMs = 15_000;

/**
 * Keeps to what lives: a program that answers at its socket and has the same build and settings is taken over, one
 * that has not is stopped first. `describe` is asked at every start, because the database's address may have changed.
 */
export function programPart(name: string, describe: () => Program, tell: (sentence: string) => void): Part {
  const begin = async (): Promise<Running> => {
    const program = describe();
    const living = await inquire(program.socket);
    const { build, settings } = living?.identity ?? {};
    if (living !== null && build === program.build && settings === program.settings) {
      return await takenOver(program, living, tell);
    }
    if (living !== null) await endProcess(living.identity.pid, goneFor(living), replaceGraceMs);
    return await started(program, tell);
  };
  return { name, begin };
}

/** A program that ends by itself closes its control socket first and does its last work after that. */
async function goneFor(living: Found): Promise<void> {
  await living.gone;
  await death(living.identity.pid, lastWorkMs);
}

/** Hands what the log says to the operator and keeps what may explain the end. */
async function listen(program: Program, tell: (sentence: string) => void): Promise<() => Promise<string | null>> {
  const lines: string[] = [];
  const follower = await follow(program.log, (line) => {
    const error = loggedError(line);
    if (error !== null) tell(`The ${program.name} says: ${error}`);
    lines.push(line);
    if (lines.length > 200) lines.splice(0, 100);
  });
  return async () => {
    await follower.close();
    return lastWords(lines);
  };
}

async function takenOver(program: Program, living: Found, tell: (sentence: string) => void): Promise<Running> {
  await (await openLog(program.log)).close();
  const words = await listen(program, tell);
  const { pid } = living.identity;
  const gone = goneFor(living);
  const ended = gone.then(async (): Promise<Ending> => {
    return { reason: (await words()) ?? "without a word", refusal: null };
  });
  return {
    ready: Promise.resolve(),
    ended,
    stop: (graceMs) => endProcess(pid, gone, graceMs),
    kill: () => signal(pid, "SIGKILL"),
  };
}

async function started(program: Program, tell: (sentence: string) => void): Promise<Running> {
  const log = await openLog(program.log);
  const words = await listen(program, tell);
  // A session of its own and a file for its output: the terminal's signals and our death do not reach it.
  const child = spawn(process.execPath, ["--enable-source-maps", program.entry], {
    cwd: program.folder,
    env: program.environment,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  const exit = new Promise<{ code: number | null; how: string }>((resolve) => {
    child.once("error", (error) => resolve({ code: null, how: error.message }));
    child.once("exit", (code, name) => resolve({ code, how: name === null ? `exit code ${code}` : `signal ${name}` }));
  });
  await log.close();
  const pid = child.pid ?? 0;
  const ended = exit.then(async ({ code, how }): Promise<Ending> => {
    const said = await words();
    const isRefusal = code === refusalCode && !(await answersSoon(program.socket));
    return { reason: said ?? how, refusal: isRefusal ? (said ?? how) : null };
  });
  return {
    ready: announced(program.socket, pid, exit),
    ended,
    stop: (graceMs) => endProcess(pid, exit, graceMs),
    kill: () => signal(pid, "SIGKILL"),
  };
}

/** Resolves when the process answers at the socket, and never when it ends before. */
async function announced(socket: string, pid: number, exit: Promise<unknown>): Promise<void> {
  let lives = true;
  void exit.then(() => {
    lives = false;
  });
  while (lives) {
    const found = await inquire(socket).catch(() => null);
    found?.release();
    if (found?.identity.pid === pid) return;
    await pause(lookEveryMs);
  }
  await new Promise<never>(() => undefined);
}

/**
 * A program refuses to start when its port is in use, also when the user of that port is its own predecessor, left by
 * a launcher that was killed before the predecessor had announced itself. That one is then taken over.
 */
async function answersSoon(socket: string): Promise<boolean> {
  const until = performance.now() + orphanPatienceMs;
  while (performance.now() < until) {
    const found = await inquire(socket).catch(() => null);
    found?.release();
    if (found !== null) return true;
    await pause(lookEveryMs);
  }
  return false;
}
