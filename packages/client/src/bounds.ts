/** What ends a request before its time: the caller's signal, or a clock. */
export interface Bounds {
  readonly signal: AbortSignal;
  /** Sets the clock: so many milliseconds from now on. */
  within(ms: number): void;
  /** Stops the clock. */
  stop(): void;
  /** Nothing is left behind, at the caller's signal neither, which may live for days. */
  release(): void;
}

/** Bounds that hold until they are released. */
export function boundsOf(outer: AbortSignal | undefined): Bounds {
  const inner = new AbortController();
  const pass = (): void => inner.abort(outer?.reason);
  if (outer?.aborted) pass();
  outer?.addEventListener("abort", pass, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    signal: inner.signal,
    within(ms) {
      clearTimeout(timer);
      timer = setTimeout(() => inner.abort(new Error(`nothing came within ${ms / 1000} s`)), ms);
    },
    stop: () => clearTimeout(timer),
    release() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", pass);
    },
  };
}
