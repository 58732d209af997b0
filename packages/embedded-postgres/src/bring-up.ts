import { realpath } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, askServer, type Session } from "./ask-server.ts";
import { findWay, removeStaleLocks, signalIfThere, signalOrphans } from "./clear-way.ts";
import { DatabaseStartError } from "./database-start-error.ts";
import type { Runtime } from "./runtime.ts";
import { complaintIn } from "./server-log.ts";
import type { Site } from "./site.ts";
import { remedyFor } from "./start-remedy.ts";
import { type LaunchedServer, launchServer } from "./start-server.ts";

/** A server that answers, and the process behind it if this process launched it. */
export interface UpServer {
  readonly session: Session;
  readonly launched: LaunchedServer | null;
}

const askTimeoutSec = 5;
/** How long nobody may answer before a start counts as failed. */
const startPatienceSec = 60;
/** A starting server opens its socket within milliseconds; one that has none after this long has lost it. */
const holderPatienceSec = 3;
const orphanPatienceSec = 2;

/** Asks once; null when no server of this home answers. Throws when somebody else answers there. */
export async function findRunning(site: Site): Promise<UpServer | null> {
  const answer = await ask(site);
  return answer.kind === "server" ? { session: answer.session, launched: null } : null;
}

/**
 * Gets a server to answer on a whole cluster: waits for one that is starting or stopping, clears away what a dead one
 * left behind, launches one when there is none. Another process may do the same: PostgreSQL's own lock decides which
 * server stays, and both processes get that one.
 */
export async function bringUp(site: Site, runtime: Runtime): Promise<UpServer> {
  const start = new ServerStart(site, runtime);
  try {
    for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.5, 200)) {
      const answer = await ask(site);
      if (answer.kind === "server") return start.arriveAt(answer.session);
      start.refuseWhenLate(answer);
      if (isLeaving(answer)) await start.takeNextStep();
      await start.pauseFor(waitMs);
    }
  } catch (error) {
    await start.abandon();
    throw error;
  }
}

/** A server that was told to stop gently waits for its clients for as long as they like. */
function isLeaving(answer: Answer): boolean {
  return answer.kind === "nobody" || (answer.kind === "busy" && /shutting down/.test(answer.words));
}

async function ask({ place }: Site): Promise<Exclude<Answer, { kind: "refusal" }>> {
  const answer = await askServer(place.sockets, place.passwordFile, askTimeoutSec);
  if (answer.kind === "refusal") {
    throw new DatabaseStartError(
      `The server in ${place.sockets} refuses the password in ${place.passwordFile}: ${answer.words}.`,
      `Put the password file back as it was, or end the server that has its socket in ${place.sockets} and start again.`,
    );
  }
  if (answer.kind !== "server") return answer;
  const expected = await realpath(place.data);
  if (answer.session.data === expected) return answer;
  await answer.session.end();
  throw new DatabaseStartError(
    `The server in ${place.sockets} serves ${answer.session.data} instead of ${expected}.`,
    "End that server and start again.",
  );
}

/** One attempt to get a server, over as many launches as it takes. */
class ServerStart {
  readonly #site: Site;
  readonly #runtime: Runtime;
  readonly #since = performance.now();
  #launched: LaunchedServer | null = null;
  /** Set once the launched process has ended. */
  #lastWords: string | null = null;
  /** Who keeps the data folder, null for one that cannot be seen, and since when. */
  #held: { readonly pid: number | null; readonly since: number } | null = null;
  #orphansSince: number | null = null;
  #lastComplaint = "";

  constructor(site: Site, runtime: Runtime) {
    this.#site = site;
    this.#runtime = runtime;
  }

  /** Our own server, or the one that was quicker. */
  arriveAt(session: Session): UpServer {
    return { session, launched: this.#launched?.pid === session.pid ? this.#launched : null };
  }

  /** Waits, but not longer than the launched process lives. */
  async pauseFor(waitMs: number): Promise<void> {
    const waits: Promise<unknown>[] = [pause(waitMs)];
    if (this.#launched !== null && this.#lastWords === null) waits.push(this.#launched.ended);
    await Promise.race(waits);
  }

  refuseWhenLate(answer: Answer): void {
    const patienceSec = answer.kind === "busy" ? answer.patienceSec : startPatienceSec;
    if (secondsSince(this.#since) < patienceSec) return;
    const words = answer.kind === "busy" ? `it says: ${answer.words}` : this.#lastComplaint || "nobody answers";
    // Recovery that is cut short begins anew, so the server is left to finish it.
    if (answer.kind === "busy") this.#launched = null;
    throw new DatabaseStartError(
      `The database did not come up within ${patienceSec} s; ${words}.`,
      `Look into ${this.#site.place.log}; start again to go on waiting.`,
    );
  }

  /** Ends what this start has launched. */
  async abandon(): Promise<void> {
    this.#launched?.signal("SIGINT");
    await this.#launched?.ended;
  }

  /** What to do while there is no server, or one that is leaving. */
  async takeNextStep(): Promise<void> {
    if (this.#launched !== null) {
      if (this.#lastWords === null) return;
      await this.#judgeFailure(this.#lastWords);
      this.#launched = null;
    }
    const way = await findWay(this.#site);
    if (way.kind === "free") return this.#launch(way.stalePid);
    // Held by one that is starting or stopping, or by one that is of no use.
    const pid = way.kind === "held" ? way.pid : null;
    if (this.#held?.pid !== pid) this.#held = { pid, since: performance.now() };
    if (secondsSince(this.#held.since) < holderPatienceSec) return;
    if (pid === null) throw this.#refusalOfServerElsewhere();
    this.#restartHolder(pid);
  }

  async #launch(stalePid: number | null): Promise<void> {
    const launched = await launchServer(this.#site, this.#runtime, stalePid);
    this.#launched = launched;
    this.#lastWords = null;
    launched.ended.then(
      (words) => this.#noteEnd(launched, words),
      () => this.#noteEnd(launched, ""),
    );
  }

  #noteEnd(launched: LaunchedServer, words: string): void {
    if (this.#launched === launched) this.#lastWords = words;
  }

  /** Somebody cleaned up /tmp, or the server waits for its clients to leave. */
  #restartHolder(pid: number): void {
    this.#lastComplaint = `the server with the pid ${pid} holds the data folder and lets nobody in`;
    this.#site.log(`The database server ${pid} lets nobody in and is restarted.`);
    signalIfThere(pid, "SIGINT");
    this.#held = null;
  }

  #refusalOfServerElsewhere(): DatabaseStartError {
    return new DatabaseStartError(
      `A server that cannot be seen from here, probably in another container, serves ${this.#site.place.data}.`,
      "Stop it first: two servers on one data folder would destroy it.",
    );
  }

  /** Decides whether a launch that failed is tried again; throws when that would not help. */
  async #judgeFailure(words: string): Promise<void> {
    const complaint = complaintIn(words);
    this.#lastComplaint = complaint;
    // Another starter was quicker, or the file is a dead server's.
    if (/lock file ".*" (already exists|is empty)|lock file ".*": No such file/.test(complaint)) {
      return removeStaleLocks(this.#site);
    }
    if (/pre-existing shared memory block/.test(complaint)) return this.#endOrphans();
    const { log } = this.#site.place;
    throw new DatabaseStartError(
      `The database server ended while starting: ${complaint || "it wrote nothing"}`,
      `${remedyFor(complaint)} The whole log is in ${log}.`,
    );
  }

  /** After `kill -9` of a server its children end by themselves, unless they are busy. */
  async #endOrphans(): Promise<void> {
    this.#orphansSince ??= performance.now();
    const waitedSec = secondsSince(this.#orphansSince);
    if (waitedSec < orphanPatienceSec) return;
    const signal = waitedSec < 2 * orphanPatienceSec ? "SIGTERM" : "SIGKILL";
    const pids = await signalOrphans(this.#site, signal);
    if (pids.length > 0) this.#site.log(`Ending processes of a database server that died: ${pids.join(", ")}.`);
  }
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000;
}
