import type { CauseCode } from "@roster/contract";
import type { AdapterEvent } from "./event-data.ts";

/** What an adapter is told of a run. */
export interface AdapterOrder<Settings = Readonly<Record<string, unknown>>> {
  readonly settings: Settings;
  readonly prompt: string;
  readonly runId: string;
  readonly companyId: string;
  readonly agentId: string;
  /** The folder that the program starts in. */
  readonly cwd: string;
  /** The variables of the run, its credential among them; the program has them in its environment. */
  readonly service: Readonly<Record<string, string>>;
  readonly instructionsFile: string | null;
  readonly skillsFolder: string | null;
  /** What the program finds in its environment beside the variables of the run: the host's, and the agent's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** A folder of this run alone, outside of the working folder. */
  readonly ownFolder: string;
  /** What the last session event of an earlier run said, to go on from; null for a run that starts anew. */
  readonly session: Readonly<Record<string, unknown>> | null;
  /** The most that the run may cost, in millionths of a dollar; null where nobody says. */
  readonly capMicros: number | null;
}

/**
 * Something that is put below the run's own folder before its program starts: a file, or a link. What a link leads to
 * may be missing; with `isFolder` it is made.
 */
export type Placed =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly to: string; readonly isFolder?: boolean };

/** What is to be started. */
export interface Program {
  /** A name that is looked up in PATH, a path below the working folder, or an absolute path. */
  readonly command: string;
  /** Everybody on the machine can read them: no secrets, and no prompt. */
  readonly args: readonly string[];
  /** Written to standard input; null for an empty one. */
  readonly stdin: string | null;
  /** Defaults for the program; the agent's own variables and those of the run win. */
  readonly env: Readonly<Record<string, string>>;
  /** What has to be there before it starts. */
  readonly places?: readonly Placed[];
  /**
   * A program of this product itself: it works in the run's own folder, not in the agent's, sees nothing of the agent's
   * variables, which could change what it is, and knows which places the operator has opened.
   */
  readonly isOurs?: true;
}

/** How a program ended by itself; exactly one of the two is there. */
export interface ProgramEnding {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** What an ending means. */
export interface AdapterOutcome {
  readonly code: CauseCode;
  /** A sentence a person understands, at most 2000 characters. */
  readonly message: string;
  /** For `rate_limited`: after how long another try makes sense, or from when on, in milliseconds since 1970. */
  readonly retryAfterSec?: number;
  readonly retryAtMs?: number;
  /** It could not go on with its session and has done nothing: it is started once more, without one. */
  readonly startsFresh?: boolean;
}

/** Understands one run. */
export interface Translator {
  /**
   * The events of one line, its end cut off; null for a line that is output as it was printed, and nothing for one that
   * does not matter. What a line becomes depends on the lines before it on the same stream alone. Never throws.
   */
  line(stream: "stdout" | "stderr", text: string): readonly AdapterEvent[] | null;
  /** What is still to be told when the program has said everything, however it ended. Never throws. */
  end?(): readonly AdapterEvent[];
  /** What it means that the program ended so, after what it has said. */
  outcome(ending: ProgramEnding): AdapterOutcome;
}

/** Something about settings or machine that a person should know. It informs; nothing is refused for it. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** What a check may look at on the runner's machine. */
export interface CheckHost {
  /** Where the command is; null when it is not there or cannot be executed. */
  findCommand(command: string, cwd: string | undefined): Promise<string | null>;
  isFolder(path: string): Promise<boolean>;
  isFile(path: string): Promise<boolean>;
  /**
   * What the program prints when it is run with these arguments; null when it fails or takes too long. Itself null where
   * no program may be started: before a hire is approved, whoever proposed it would choose what runs.
   */
  readonly ask: ((path: string, args: readonly string[]) => Promise<string | null>) | null;
  /**
   * Why this address may not be called from the runner's machine, or cannot be, as the end of a sentence that begins with
   * its name; null when it may. Nothing is connected to.
   */
  whyClosed(url: string): Promise<{ readonly isRefused: boolean; readonly why: string } | null>;
  /** As in an order; a secret's value is not told, but that it is there. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The runner's side of an adapter. It translates, and nothing else: settings to a program, lines to events, an ending
 * to an outcome. Processes, files, environment, limits and secrets are the runner's.
 */
export interface Adapter {
  readonly type: string;
  /** What is missing on this machine for these settings; empty when nothing is. Never throws. */
  check(settings: Readonly<Record<string, unknown>>, host: CheckHost): Promise<readonly Finding[]>;
  /** What is to be started. Pure. Throws {@link SettingsError}. */
  program(order: AdapterOrder): Program;
  /** A new one for each run, and for each time its output is read again. Throws {@link SettingsError}. */
  translator(order: AdapterOrder): Translator;
}

/** The settings of an agent are not what its adapter takes; the message is a sentence that says where. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
