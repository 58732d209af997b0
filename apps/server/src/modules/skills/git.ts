import { spawn } from "node:child_process";

/** Where a git works: a folder of its own that holds its repository, its home and whatever else it writes. */
export interface GitPlace {
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A command of git. */
export interface GitCommand {
  readonly args: readonly string[];
  readonly input?: string;
  /** Beside the environment that every command has. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Settings of git for this command. */
  readonly settings?: readonly string[];
  readonly mostBytes?: number;
}

/** A git that ended otherwise than well; `told` is what it said. */
export class GitFault extends Error {
  readonly told: string;

  constructor(told: string) {
    super(`git failed: ${told}`);
    this.name = "GitFault";
    this.told = told;
  }
}

/** There is no git on this machine. */
export class GitMissing extends Error {}

const mostTold = 4000;
const usualMostBytes = 1_048_576;

/** What every git is told: no hook, no helper, no second thread, nothing large in memory, no work of its own accord. */
const everySetting = [
  "core.hooksPath=/dev/null",
  "core.bigFileThreshold=1m",
  "credential.helper=",
  "pack.threads=1",
  "gc.auto=0",
  "maintenance.auto=false",
];

/**
 * Runs git without a shell, without anybody's configuration and without a terminal to ask at; it speaks to nobody unless
 * the command's environment says otherwise. Answers what it printed. It is ended, with all that it started, at the
 * signal or when it prints too much. Throws {@link GitFault}, {@link GitMissing}, or the signal's reason.
 */
export async function git(place: GitPlace, command: GitCommand): Promise<Buffer> {
  place.signal.throwIfAborted();
  const settings = [...everySetting, ...(command.settings ?? [])].flatMap((setting) => ["-c", setting]);
  const child = spawn("git", [`--git-dir=${place.folder}/repository`, ...settings, ...command.args], {
    cwd: place.folder,
    env: { ...environmentIn(place.folder), ...command.environment },
    // A group of its own: git starts programs that would outlive it.
    detached: true,
  });
  const end = (): void => endGroup(child.pid);
  place.signal.addEventListener("abort", end, { once: true });
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    told = (told + part).slice(-mostTold);
  });
  const printing = collect(child.stdout, command.mostBytes ?? usualMostBytes, end).catch(() => null);
  child.stdin.on("error", end);
  child.stdin.end(command.input ?? "");
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", (error) => reject(isMissing(error) ? new GitMissing() : error));
      // Not before everything that it started is gone, because all of that holds its streams.
      child.once("close", resolve);
    });
    const printed = await printing;
    place.signal.throwIfAborted();
    if (printed === null) throw new GitFault("it printed too much");
    if (code !== 0) throw new GitFault(told);
    return printed;
  } finally {
    place.signal.removeEventListener("abort", end);
  }
}

const isMissing = (error: Error): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** All of a stream, or null for one that was ended because it is longer than it may be. */
async function collect(stream: AsyncIterable<Buffer>, most: number, end: () => void): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes <= most) parts.push(part);
    else end();
  }
  return bytes > most ? null : Buffer.concat(parts);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}

const environmentIn = (folder: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  // No single piece of memory larger than what may be fetched: a few bytes can say that they unpack to gigabytes.
  GIT_ALLOC_LIMIT: "128m",
});
