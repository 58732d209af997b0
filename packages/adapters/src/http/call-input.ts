/** What the program of a run over HTTP reads on its standard input, as JSON: it holds secrets. */
export interface CallInput {
  readonly url: string;
  /** What goes with both calls, secrets put in. */
  readonly headers: Readonly<Record<string, string>>;
  /** What both calls are signed with; null for calls that are not signed. */
  readonly signingSecret: string | null;
  readonly runId: string;
  /** The bodies of the two calls. */
  readonly start: string;
  readonly cancel: string;
  /** Longest time until the receiver accepts a connection. */
  readonly connectWithinSec: number;
  /** How long the receiver has after it was told that the run is cancelled. */
  readonly graceSec: number;
  /** Where the run's own events are followed after a 202, and with which credential. */
  readonly service: { readonly url: string; readonly key: string };
}

/** Types of the lines that say something of the call itself: from `text` on, all that is printed is the answer's text. */
export const callLines = { text: "call.text", failed: "call.failed" } as const;

/** Why a call failed, as far as it can. */
export type CallFailureCode = "agent_error" | "auth_failed" | "rate_limited" | "adapter_misconfigured";

/** What is said of a call that failed. */
export interface CallFailure {
  readonly code: CallFailureCode;
  readonly message: string;
  readonly retryAfterSec?: number;
}

/** How the program ends when it fails: it has said why, or the answer broke off, which cannot be said inside of it. */
export const exitCodes = { failed: 1, brokenOff: 3 } as const;
