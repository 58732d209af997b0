/** One of the processes that make up a running Roster. */
export interface Part {
  readonly name: string;
  /** Starts it, or takes over the one that lives already. Throws `CannotStartError`. */
  begin(): Promise<Running>;
}

/** A part's process, started or taken over. */
export interface Running {
  /** Resolves when it does its work; stays open when it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<Ending>;
  /** Asks it to end, makes it end when it has not after `graceMs`, and resolves when it has ended. */
  stop(graceMs: number): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

export interface Ending {
  /** What happened, to be read after "server ended: ". */
  readonly reason: string;
  /** The sentence for the operator when starting again would not help; else null. */
  readonly refusal: string | null;
}

/** A part could not be started. */
export class CannotStartError extends Error {
  override readonly name = "CannotStartError";
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.reason);
    this.ending = ending;
  }
}
