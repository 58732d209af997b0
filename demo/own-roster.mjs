import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, realpathSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../scripts/free-port.mjs";
import { Failure } from "./failure.mjs";
import { print } from "./voice.mjs";

const start = fileURLToPath(new URL("../scripts/start.mjs", import.meta.url));
const lookEveryMs = 100;
const startMs = 900_000;
const stopMs = 60_000;
const rememberedLines = 40;

/** A Roster of the demo's own: an empty home in the temporary folder and a free port. Nothing of the user's is touched. */
export class OwnRoster {
  home = realpathSync(mkdtempSync(join(tmpdir(), "roster-demo-")));
  #port = 0;
  #child = null;
  #exit = Promise.resolve();
  #said = [];

  get url() {
    return `http://localhost:${this.#port}`;
  }

  /** What starts it again, once it is stopped and its home is kept. */
  get command() {
    return `SERVICE_HOME=${this.home} PORT=${this.#port} npm start`;
  }

  /** Starts it as `npm start` does; resolves when it answers. Installing and building for the first time take a while. */
  async start(signal) {
    this.#port = process.env.PORT ? Number(process.env.PORT) : await freePort();
    const env = { ...ownEnvironment(process.env), SERVICE_HOME: this.home, PORT: String(this.#port) };
    // In a process group of its own: Ctrl-C reaches the demo alone, which then stops everything in order.
    this.#child = spawn(process.execPath, [start], { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.#exit = once(this.#child, "exit");
    this.#listen(this.#child.stdout);
    this.#listen(this.#child.stderr, (line) => print(line));
    const until = performance.now() + startMs;
    while (!(await this.#answers())) {
      signal.throwIfAborted();
      if (this.#hasEnded()) throw new Failure("Roster did not start. It said:", this.#said);
      if (performance.now() > until) throw new Failure("Roster did not start in time. It said:", this.#said);
      await pause(lookEveryMs, undefined, { signal });
    }
  }

  /** Stops the launcher, and with it runner, server and database, in that order. Told again, it waits for the same end. */
  async stop() {
    if (this.#child === null || this.#hasEnded()) return;
    this.#child.kill("SIGTERM");
    const isOver = await Promise.race([this.#exit.then(() => true), pause(stopMs, false, { ref: false })]);
    if (isOver) return;
    // The second one ends everything at once.
    this.hurry();
    await this.#exit;
  }

  /** Ends at once what is being stopped. */
  hurry() {
    this.#child?.kill("SIGTERM");
  }

  /** What the launcher has said about its parts: those that ended, and their errors. */
  get complaints() {
    return this.#said.filter((line) => /^The (database|server|runner) /.test(line));
  }

  /** Removes every folder of the home; as root the database has one elsewhere. */
  async remove() {
    const record = await readFile(join(this.home, "database.json"), "utf8").catch(() => "{}");
    const { folder = "" } = JSON.parse(record);
    const key = createHash("sha256").update(this.home).digest("hex").slice(0, 12);
    const elsewhere = folder === `/var/lib/roster/${key}` ? [folder] : [];
    const folders = [this.home, `/tmp/roster-${process.getuid()}-${key}`, ...elsewhere];
    for (const each of folders) await rm(each, { recursive: true, force: true, maxRetries: 3 });
  }

  #hasEnded() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #answers() {
    const response = await fetch(`${this.url}/readyz`).catch(() => null);
    return response?.ok === true;
  }

  #listen(stream, tell = () => undefined) {
    createInterface({ input: stream }).on("line", (line) => {
      this.#said = [...this.#said, line].slice(-rememberedLines);
      tell(line);
    });
  }
}

/** Without what an operator has set for another home, or the npm that runs the demo for itself. */
function ownEnvironment(environment) {
  const foreign = /^npm_|^INIT_CWD$|^SERVICE_|^DATABASE_URL$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !foreign.test(name)));
}
