/**
 * Thrown when a call got no whole answer: the service was not reached, the connection broke, or the time was up. Whether
 * the call took effect is not known. `cause` is what went wrong underneath.
 */
export class Unanswered extends Error {
  /** Where it was sent, without its query. */
  readonly address: string;
  /** What went wrong, in a word or a sentence, such as `ECONNREFUSED`. */
  readonly reason: string;

  constructor(method: string, url: string, cause: unknown) {
    const [address = ""] = url.split("?");
    const reason = reasonOf(cause);
    super(`No answer from ${address} (${method}): ${reason}`, { cause });
    this.name = "Unanswered";
    this.address = address;
    this.reason = reason;
  }
}

/** What fetch throws says little; what is behind it says more. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its own message would quote the answer, which may hold a secret.
  if (error instanceof SyntaxError) return "what was answered is not JSON";
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}
