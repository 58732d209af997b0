import type { CheckOrder } from "@roster/contract";
import { reasonOf } from "../calling/refusals.ts";
import type { Server } from "../calling/server.ts";
import type { Log } from "../log.ts";
import type { RunnerHome } from "../runner-home.ts";
import { runCheck } from "./run-check.ts";

const mostAtOnce = 4;

/** The checks that this runner is at. What could not be told is asked of somebody again. */
export class Checks {
  readonly #server: Server;
  readonly #home: RunnerHome;
  readonly #log: Log;
  #busy = 0;
  readonly #over = new AbortController();

  constructor({ server, home, log }: { readonly server: Server; readonly home: RunnerHome; readonly log: Log }) {
    this.#server = server;
    this.#home = home;
    this.#log = log;
  }

  /** How many more it can do. */
  get room(): number {
    return Math.max(mostAtOnce - this.#busy, 0);
  }

  /** Does them, and tells each when it is done. True when there are any. */
  take(orders: readonly CheckOrder[]): boolean {
    for (const order of orders) void this.#check(order);
    return orders.length > 0;
  }

  /** Tells nothing any more. */
  stop(): void {
    this.#over.abort(new Error("stopped"));
  }

  async #check(order: CheckOrder): Promise<void> {
    const { agentId, revisionId } = order;
    this.#busy += 1;
    try {
      const findings = await runCheck(order, this.#home.folder);
      await this.#server.checked({ agentId, revisionId, findings }, this.#over.signal);
    } catch (error) {
      if (!this.#over.signal.aborted) this.#log.warn({ agentId, reason: reasonOf(error) }, "a check was not told");
    } finally {
      this.#busy -= 1;
    }
  }
}
