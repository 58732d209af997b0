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

const againMs = 500;

/**
 * A server or a runner: a process that is killed, paused and started again, on the same home. One that ends by itself is
 * started again, as by the launcher: a server that finds no database does.
 */
export class Part {
  readonly name: string;
  readonly #options: PartOptions;
  #child: ChildProcess | null = null;
  #exit: Promise<unknown> = Promise.resolve();
  #isWanted = false;

  constructor(options: PartOptions) {
    this.name = options.name;
    this.#options = options;
  }

  start(): void {
    this.#isWanted = true;
    if (this.#child !== null) return;
    const { program, env, logFile } = this.#options;
    const child = spawn(process.execPath, [program], { env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (said) => appendFileSync(logFile, said));
    this.#child = child;
    this.#exit = once(child, "exit").then(([code, signal]) => {
      this.#child = null;
      appendFileSync(logFile, `${this.name} ended: ${code ?? signal}\n`);
      if (this.#isWanted) setTimeout(() => this.#isWanted && this.start(), againMs);
    });
  }

  /** As when the machine loses power: at once, with nothing said. */
  async kill(): Promise<void> {
    this.#isWanted = false;
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
    this.#isWanted = false;
    this.resume();
    this.#child?.kill("SIGTERM");
    await this.#exit;
  }
}
