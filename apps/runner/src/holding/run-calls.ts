import type { Outcome, ToldEvent } from "@roster/contract";
import { type Insisting, insist } from "../calling/insist.ts";
import { isStale, isUnfit, reasonOf } from "../calling/refusals.ts";
import type { Lease, OrderedAgain, Server, SkillFiles } from "../calling/server.ts";
import type { Log } from "../log.ts";

/** How a run ended, and what is still to be told of it. */
export interface Settlement {
  readonly outcome: Outcome;
  readonly events: readonly ToldEvent[];
}

/** What a run's calls need. */
export interface Calling {
  readonly server: Server;
  readonly log: Log;
  readonly lease: Lease;
  /** Nothing is told any more once it is aborted. */
  readonly signal: AbortSignal;
}

/**
 * The calls about one run, insisted on until there is an answer. They throw when the run is another's, when what is
 * sent is refused as it is, and the reason of the signal once that is aborted.
 */
export class RunCalls {
  readonly #calling: Calling;

  constructor(calling: Calling) {
    this.#calling = calling;
  }

  async order(): Promise<OrderedAgain> {
    const { server, lease, signal } = this.#calling;
    return await this.#insist(() => server.order(lease, signal));
  }

  async skill(contentHash: string, signal: AbortSignal): Promise<SkillFiles> {
    const { server, lease } = this.#calling;
    return await this.#insist(() => server.skill(lease.runId, contentHash, signal), { signal });
  }

  async start(): Promise<void> {
    const { server, lease, signal } = this.#calling;
    await this.#insist(() => server.start(lease, signal));
  }

  /** Events that the server refuses as they are are left out: held on to, they would hold up all that follow. */
  async tell(events: readonly ToldEvent[]): Promise<void> {
    const { server, lease, signal } = this.#calling;
    await this.#insist(() => server.tell(lease, events, signal)).catch((error: unknown) => {
      if (!isUnfit(error)) throw error;
      this.complain(error);
    });
  }

  /** An end is told also where its events are refused as they are: without it the run would be handed out again. */
  async settle({ outcome, events }: Settlement): Promise<void> {
    const { server, lease, signal } = this.#calling;
    const settle = (last: readonly ToldEvent[]) => server.settle(lease, { outcome, events: last }, signal);
    await this.#insist(() => settle(events)).catch(async (error: unknown) => {
      if (!isUnfit(error)) throw error;
      this.complain(error);
      await this.#insist(() => settle([]), { isFinal: isStale });
    });
  }

  complain(error: unknown): void {
    const { log, lease } = this.#calling;
    log.warn({ runId: lease.runId, reason: reasonOf(error) }, "run is held up");
  }

  async #insist<T>(attempt: () => Promise<T>, how: Partial<Insisting> = {}): Promise<T> {
    const onFailure = (error: unknown, failures: number): void => {
      if (failures === 1) this.complain(error);
    };
    return await insist(attempt, { signal: this.#calling.signal, onFailure, ...how });
  }
}
