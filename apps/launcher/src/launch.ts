import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { AlreadyAnnouncedError, type Announcement, announce, controlFolder } from "@roster/control-socket";
import { databasePart, databasePlace } from "./database.ts";
import { type Kept, keep } from "./keep.ts";
import type { Part } from "./part.ts";
import { programPart, refusalCode } from "./program.ts";
import { outliveTerminal, type Voice, voice } from "./say.ts";
import { fingerprint, type Settings } from "./settings.ts";
import { onStopSignals } from "./stop-signals.ts";
import { alreadyRuns, greeting, shownDatabase } from "./words.ts";

/** What was built: the folder with the programs, and what `build.json` in it says. */
export interface Build {
  readonly folder: string;
  readonly hash: string;
  readonly version: string;
}

/** How long stopping may take. */
export interface Patience {
  /** For a program to finish what it is doing; some have several times as long. */
  readonly graceMs: number;
  /** For everything. */
  readonly wholeMs: number;
}

/** A program that the launcher keeps. */
interface KeptProgram {
  readonly name: string;
  /** How many graces it has to end. */
  readonly graces: number;
  /** What it sees of the environment, and what it is told beside that. */
  environment(all: Environment, settings: Settings): Environment;
}

type Environment = Readonly<Record<string, string>>;

/** The programs in the order in which they are started; the database comes before them. */
const programs: readonly KeptProgram[] = [
  { name: "server", graces: 1, environment: (all) => all },
  {
    name: "runner",
    // One for what it runs, and one to tell the server how that ended.
    graces: 2,
    // Agents' programs can look at it, so it does not get what would open the database or the secrets.
    environment: (all, { localAddress }) => ({ ...withoutKeys(all), SERVICE_RUNNER_URL: localAddress }),
  },
];

function withoutKeys(environment: Environment): Environment {
  const isKey = (name: string): boolean =>
    /^(DATABASE_URL$|SERVICE_DATABASE_|SERVICE_SECRETS_|SERVICE_METRICS_)/.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isKey(name)));
}

interface Launch {
  readonly settings: Settings;
  readonly build: Build;
  readonly folder: string;
  readonly voice: Voice;
}

/**
 * Holds the home and keeps its database and programs running until a signal ends it. Resolves with the exit code:
 * 0 when it was told to stop or Roster already runs on this home, 78 when starting again would not help.
 */
export async function launch(settings: Settings, build: Build, patience: Patience): Promise<number> {
  outliveTerminal();
  const own = { build: build.hash, settings: fingerprint(settings.environment, process.version) };
  try {
    await mkdir(join(settings.home, "logs"), { recursive: true, mode: 0o700 });
    const folder = await controlFolder(settings.home);
    const identity = { name: "launcher", pid: process.pid, url: settings.address, ...own };
    const held = await announce(join(folder, "launcher.sock"), identity);
    const speech = voice(join(settings.home, "logs", "launcher.log"));
    return await run({ settings, build, folder, voice: speech }, held, patience);
  } catch (error) {
    if (error instanceof AlreadyAnnouncedError) {
      process.stdout.write(`${alreadyRuns(error.holder, own)}\n`);
      return 0;
    }
    process.stderr.write(`${homeTrouble(settings.home, error)}\n`);
    return refusalCode;
  }
}

async function run(launch: Launch, held: Announcement, patience: Patience): Promise<number> {
  // The processes live in sessions of their own, and nothing else here keeps a process alive.
  const alive = setInterval(() => undefined, 60_000);
  const kept: Kept[] = [];
  const stopped = new Promise<null>((stop) => {
    onStopSignals(
      () => stop(null),
      () => {
        for (const part of kept) part.kill();
        process.exit(1);
      },
    );
  });
  const refusal = await Promise.race([stopped, startAll(launch, kept)]);
  await stopAll(kept, patience);
  await held.close();
  clearInterval(alive);
  if (refusal === null) return 0;
  launch.voice.say(refusal);
  return refusalCode;
}

/** Starts one after the other; resolves only when one of them says that starting it would not help. */
async function startAll(launch: Launch, kept: Kept[]): Promise<string> {
  const refusals: Promise<string>[] = [];
  for (const part of partsOf(launch)) {
    const one = keep(part, launch.voice.say);
    kept.push(one);
    refusals.push(one.refused);
    const refusal = await Promise.race([...refusals, one.ready]);
    if (typeof refusal === "string") return refusal;
  }
  const { home, address, mode, databaseUrl } = launch.settings;
  const database = databaseUrl === null ? await databasePlace(home) : shownDatabase(databaseUrl);
  const { version } = launch.build;
  const claimLink = await readFile(join(home, "claim.link"), "utf8").then(
    (text) => text.trim(),
    () => null,
  );
  for (const line of greeting({ version, address, home, database, mode, claimLink })) launch.voice.say(line);
  return await Promise.race(refusals);
}

function partsOf({ settings, build, folder, voice }: Launch): readonly Part[] {
  const logs = join(settings.home, "logs");
  const database = databasePart(settings.home, voice.note);
  const describe = (program: KeptProgram) => () => {
    const { name } = program;
    const all = {
      ...settings.environment,
      DATABASE_URL: settings.databaseUrl ?? database.url(),
      SERVICE_DATABASE_EMBEDDED: String(settings.databaseUrl === null),
    };
    const environment = program.environment(all, settings);
    const print = fingerprint(environment, process.version);
    const socket = join(folder, `${name}.sock`);
    return {
      name,
      entry: join(build.folder, `${name}.js`),
      socket,
      log: join(logs, `${name}.log`),
      folder: settings.home,
      build: build.hash,
      settings: print,
      environment: { ...environment, SERVICE_CONTROL_SOCKET: socket, SERVICE_SETTINGS_FINGERPRINT: print },
    };
  };
  const parts = programs.map((program) => programPart(program.name, describe(program), voice.say));
  return settings.databaseUrl === null ? [database, ...parts] : parts;
}

/** In reverse order, because each needs those before it to finish its work. */
async function stopAll(kept: readonly Kept[], patience: Patience): Promise<void> {
  const until = performance.now() + patience.wholeMs;
  for (const part of kept.toReversed()) {
    const leftMs = Math.max(until - performance.now(), 0);
    const graces = programs.find(({ name }) => name === part.name)?.graces ?? 1;
    // A part that is just being started can be stopped only after that, and that can take longer than we have.
    await Promise.race([part.stop(Math.min(graces * patience.graceMs, leftMs)), pause(leftMs)]);
  }
  for (const part of kept) part.kill();
}

function homeTrouble(home: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EACCES" || code === "EROFS" || code === "EPERM" || code === "ENOTDIR" || code === "EEXIST") {
    return `The home ${home} cannot be written to (${code}); set SERVICE_HOME to a folder of yours.`;
  }
  return error instanceof Error ? error.message : String(error);
}
