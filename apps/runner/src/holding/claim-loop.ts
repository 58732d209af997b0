import { backoffMs, wait } from "../calling/insist.ts";
import { reasonOf } from "../calling/refusals.ts";
import type { Server } from "../calling/server.ts";
import type { Checks } from "../checking/checks.ts";
import type { Log } from "../log.ts";
import type { HeldRuns } from "./held-runs.ts";

/** An answer that came this fast and held no news was no answer to wait for. */
const soonMs = 500;

/** What claims. */
export interface Claiming {
  readonly server: Server;
  readonly held: HeldRuns;
  readonly checks: Checks;
  readonly log: Log;
  readonly capacity: number;
  readonly labels: readonly string[];
}

/** Asks for work until it is stopped, one question at a time; the server answers when there is something to do. */
export class ClaimLoop {
  readonly #claiming: Claiming;
  readonly #stopped = new AbortController();
  #round = new AbortController();
  #asked = 0;

  constructor(claiming: Claiming) {
    this.#claiming = claiming;
  }

  /** Resolves when it was stopped. */
  async run(): Promise<void> {
    for (let failures = 0; !this.#stopped.signal.aborted; ) {
      const startedAt = performance.now();
      const isNews = await this.#claim(failures);
      if (isNews === null) continue;
      // A server that is going away answers all who wait; and nobody may be asked without end.
      failures = isNews || performance.now() - startedAt > soonMs ? 0 : failures + 1;
      if (failures > 0) await wait(backoffMs(failures - 1), this.#stopped.signal);
    }
  }

  /** A run has ended: when the question that is under way left no room, it is asked again. */
  freed(): void {
    if (this.#asked === 0) this.#round.abort(new Error("room"));
  }

  stop(): void {
    this.#stopped.abort();
    this.#round.abort(new Error("stopped"));
  }

  /** Whether the answer was news; false also without an answer, null when it was not waited for. */
  async #claim(failures: number): Promise<boolean | null> {
    const { server, held, checks, log, capacity, labels } = this.#claiming;
    this.#round = new AbortController();
    this.#asked = Math.max(capacity - held.count, 0);
    const { signal } = this.#round;
    const room = { capacity: this.#asked, checks: checks.room };
    const question = { ...room, labels: [...labels], held: [...held.held] };
    try {
      const answer = await server.claim(question, signal);
      const isNews = held.apply(answer);
      return checks.take(answer.checks) || isNews;
    } catch (error) {
      if (signal.aborted) return null;
      if (failures === 0) log.warn({ reason: reasonOf(error) }, "no answer to a claim");
      return false;
    }
  }
}
