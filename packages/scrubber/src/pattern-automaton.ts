/**
 * Finds many patterns in one pass (Aho and Corasick): a state is the longest suffix of what was read that begins a
 * pattern. Sparse but for the first state, where ordinary output spends its time: a key with all its forms has tens of
 * thousands of states, of which a full table would take 1 KiB each.
 */
export class PatternAutomaton {
  /** From `state * 256 + byte`. */
  readonly #edges = new Map<number, number>();
  readonly #fromRoot = new Int32Array(256);
  readonly #depths: Int32Array;
  readonly #failures: Int32Array;
  readonly #matches: Int32Array;
  readonly #prefixes: Int32Array;

  /** Empty patterns are left out. */
  constructor(patterns: readonly Uint8Array[]) {
    const mostStates = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
    this.#depths = new Int32Array(mostStates);
    this.#failures = new Int32Array(mostStates);
    this.#matches = new Int32Array(mostStates);
    this.#prefixes = new Int32Array(mostStates);
    const parents = new Int32Array(mostStates);
    const bytes = new Uint8Array(mostStates);
    const states = this.#plant(patterns, parents, bytes);
    this.#link(states, parents, bytes);
  }

  /** The state before anything was read. */
  get start(): number {
    return 0;
  }

  /** The state after one more byte. Over a whole text this takes time in proportion to its length. */
  step(state: number, byte: number): number {
    for (let from = state; from !== 0; from = this.#failures[from] ?? 0) {
      const next = this.#edges.get(from * 256 + byte);
      if (next !== undefined) return next;
    }
    return this.#fromRoot[byte] ?? 0;
  }

  /** Length of the longest pattern that ends here; 0 when none does. */
  matchLength(state: number): number {
    return this.#matches[state] ?? 0;
  }

  /** Length of the longest suffix of what was read that may become a pattern with more bytes. */
  prefixLength(state: number): number {
    return this.#prefixes[state] ?? 0;
  }

  /** Makes the states and returns how many there are. */
  #plant(patterns: readonly Uint8Array[], parents: Int32Array, bytes: Uint8Array): number {
    let states = 1;
    for (const pattern of patterns) {
      let state = 0;
      for (const byte of pattern) {
        let next = this.#childOf(state, byte);
        if (next === 0) {
          next = states++;
          parents[next] = state;
          bytes[next] = byte;
          this.#addChild(state, byte, next);
        }
        state = next;
      }
      this.#matches[state] = this.#depths[state] ?? 0;
    }
    return states;
  }

  /** 0 for none: nothing leads back to the start. */
  #childOf(state: number, byte: number): number {
    return (state === 0 ? this.#fromRoot[byte] : this.#edges.get(state * 256 + byte)) ?? 0;
  }

  #addChild(state: number, byte: number, child: number): void {
    const depth = this.#depths[state] ?? 0;
    this.#depths[child] = depth + 1;
    if (state === 0) this.#fromRoot[byte] = child;
    else this.#edges.set(state * 256 + byte, child);
    // It has a successor, so what leads to it is a proper prefix.
    this.#prefixes[state] = depth;
  }

  #link(states: number, parents: Int32Array, bytes: Uint8Array): void {
    const depths = this.#depths;
    // A failure leads to a shorter suffix, so the short ones have to be known first.
    const byDepth = new Int32Array(states).map((_, index) => index).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0));
    for (const state of byDepth.subarray(1)) {
      const parent = parents[state] ?? 0;
      const failure = parent === 0 ? 0 : this.step(this.#failures[parent] ?? 0, bytes[state] ?? 0);
      this.#failures[state] = failure;
      if (this.#matches[state] === 0) this.#matches[state] = this.#matches[failure] ?? 0;
      if (this.#prefixes[state] === 0) this.#prefixes[state] = this.#prefixes[failure] ?? 0;
    }
  }
}
