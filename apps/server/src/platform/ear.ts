/** Listens to one id. */
export interface Ear {
  /**
   * True at the next word about the id, at once if one came since the last call; false after `withinMs`, when `signal`
   * aborts or the ear is closed. One call at a time.
   */
  next(withinMs: number, signal?: AbortSignal): Promise<boolean>;
  /** False once it is closed: it hears nothing more. */
  readonly isOpen: boolean;
  close(): void;
}

/** An ear with the side that speaks to it. */
export interface OpenEar extends Ear {
  hear(): void;
}

/** A new ear. A word that comes while nobody waits is kept until somebody asks. */
export function createEar(closed: () => void): OpenEar {
  let isOpen = true;
  let hasNews = false;
  let settle: ((heard: boolean) => void) | null = null;

  function wait(withinMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle?.(false), withinMs);
      const give = (): void => settle?.(false);
      signal?.addEventListener("abort", give, { once: true });
      settle = (heard) => {
        settle = null;
        clearTimeout(timer);
        signal?.removeEventListener("abort", give);
        resolve(heard);
      };
    });
  }

  return {
    get isOpen() {
      return isOpen;
    },
    hear() {
      if (settle === null) hasNews = true;
      else settle(true);
    },
    async next(withinMs, signal) {
      if (!isOpen || signal?.aborted) return false;
      if (!hasNews) return wait(withinMs, signal);
      hasNews = false;
      return true;
    },
    close() {
      isOpen = false;
      settle?.(false);
      closed();
    },
  };
}
