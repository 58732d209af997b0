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
}

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
  /** For `rate_limited`: when another try makes sense. */
  readonly retryAfterSec?: number;
}

/** Understands one run. */
export interface Translator {
  /**
   * The events of one line, its end cut off; null for a line that is output as it was printed, and nothing for one that
   * does not matter. What a line becomes depends on the lines before it on the same stream alone. Never throws.
   */
  line(stream: "stdout" | "stderr", text: string): readonly AdapterEvent[] | null;
  /** What it means that the program ended so, after what it has said. Asked once, at the end. */
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
