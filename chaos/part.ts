import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";

/** How a part is started. */
export interface PartOptions {
  readonly name: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it says goes here. */
  readonly logFile: string;
}

/** A server or a runner: a process that is killed, paused and started again, on the same home. */
export class Part {
  readonly name: string;
  readonly #options: PartOptions;
  #child: ChildProcess | null = null;
  #exit: Promise<unknown> = Promise.resolve();

  constructor(options: PartOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get isThere(): boolean {
    return this.#child !== null;
  }

  start(): void {
    if (this.#child !== null) return;
    const { program, env, logFile } = this.#options;
    const child = spawn(process.execPath, [program], { env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (said) => appendFileSync(logFile, said));
    this.#exit = once(child, "exit").then(() => {
      if (this.#child === child) this.#child = null;
    });
    this.#child = child;
  }

  /** As when the machine loses power: at once, with nothing said. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#exit;
  }

  /** As when a laptop sleeps. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** In order. */
  async stop(): Promise<void> {
    this.resume();
    this.#child?.kill("SIGTERM");
    await this.#exit;
  }
}
