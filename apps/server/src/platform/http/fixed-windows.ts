/** One more in a window of time. */
export interface Counted {
  /** How many more may come in this window; below 0 where this one is too many. */
  readonly left: number;
  /** Whole seconds until the next window, at least 1. */
  readonly restSec: number;
}

interface Window {
  readonly endMs: number;
  used: number;
}

/** What is counted, and of how many at most. */
export interface WindowLimits {
  /** So many may come in a window. */
  readonly quota: number;
  readonly windowSec: number;
  /** So many are counted at once; beyond, the one counted longest is forgotten, which only lets it off. */
  readonly mostKeys: number;
}

/** Counts by key, in windows that begin with the first of a key. Of windows that are over nothing is kept for long. */
export class FixedWindows {
  readonly limits: WindowLimits;
  /** In the order in which they end: one that begins anew moves to the end. */
  readonly #windows = new Map<string, Window>();

  constructor(limits: WindowLimits) {
    this.limits = limits;
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#windows.size;
  }

  /** Counts one at a moment, in milliseconds of a clock that never goes back. */
  count(key: string, nowMs: number): Counted {
    const window = this.#windowOf(key, nowMs);
    window.used += 1;
    const restSec = Math.max(1, Math.ceil((window.endMs - nowMs) / 1000));
    return { left: this.limits.quota - window.used, restSec };
  }

  #windowOf(key: string, nowMs: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && known.endMs > nowMs) return known;
    this.#windows.delete(key);
    this.#forget(nowMs);
    const begun = { endMs: nowMs + this.limits.windowSec * 1000, used: 0 };
    this.#windows.set(key, begun);
    return begun;
  }

  #forget(nowMs: number): void {
    for (const [key, { endMs }] of this.#windows) {
      if (endMs > nowMs && this.#windows.size < this.limits.mostKeys) return;
      this.#windows.delete(key);
    }
  }
}
