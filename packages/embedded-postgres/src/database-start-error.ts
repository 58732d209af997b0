/** The database could not be started, reached or prepared. Nothing was deleted and no second server was started. */
export class DatabaseStartError extends Error {
  /** What a person can do about it, in one or two sentences. */
  readonly remedy: string;

  /** `message` says what was wrong, with the server's own words where there are any. */
  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DatabaseStartError";
    this.remedy = remedy;
  }
}
