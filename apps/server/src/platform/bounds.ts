/** How much one cause may lead to before somebody outside says that it may go on. */
export interface Bounds {
  /** Wakes in a row, from what began it. */
  readonly hops: number;
  /** Runs that go back to the same beginning. */
  readonly runs: number;
  /** What one agent may begin outside of its runs in an hour. */
  readonly roots: number;
}

/** Where nothing else is set. */
export const usualBounds: Bounds = { hops: 12, runs: 200, roots: 20 };
