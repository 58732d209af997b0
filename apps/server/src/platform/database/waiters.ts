import { DatabaseBusy } from "./faults.ts";

interface Waiter<T> {
  readonly take: (thing: T) => void;
  readonly giveUp: (fault: Error) => void;
}

/** Those who wait for a thing of which there are only so many: first come, first served, and nobody for ever. */
export class Waiters<T> {
  readonly #waiting = new Set<Waiter<T>>();
  readonly #limits: { readonly most: number; readonly patienceMs: number };
  #waitedMs = 0;
  #refused = 0;

  constructor(limits: { most: number; patienceMs: number }) {
    this.#limits = limits;
  }

  /** How many wait, how many seconds were waited all together, and how often in vain. */
  get use(): { readonly waiting: number; readonly waitedSec: number; readonly refused: number } {
    return { waiting: this.#waiting.size, waitedSec: this.#waitedMs / 1000, refused: this.#refused };
  }

  /** The next thing that nobody before this one wants; throws {@link DatabaseBusy} when none comes in time. */
  wait(): Promise<T> {
    const { most, patienceMs } = this.#limits;
    if (this.#waiting.size >= most) return Promise.reject(this.#refusal("too many wait for it"));
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        this.#waitedMs += performance.now() - since;
      };
      const waiter: Waiter<T> = {
        take(thing) {
          leave();
          resolve(thing);
        },
        giveUp(fault) {
          leave();
          reject(fault);
        },
      };
      const timer = setTimeout(() => waiter.giveUp(this.#refusal("none came free in time")), patienceMs);
      this.#waiting.add(waiter);
    });
  }

  /** Gives it to who has waited longest; false where nobody waits. */
  hand(thing: T): boolean {
    const [next] = this.#waiting;
    next?.take(thing);
    return next !== undefined;
  }

  /** Ends all waiting. */
  end(fault: Error): void {
    for (const waiter of this.#waiting) waiter.giveUp(fault);
  }

  #refusal(why: string): DatabaseBusy {
    this.#refused += 1;
    return new DatabaseBusy(`no connection to the database: ${why}`);
  }
}
