import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Identity, parseIdentity } from "./identity.ts";
import { checkPathLength } from "./path-length.ts";

/** A living process that answered at a control socket. */
export interface Found {
  readonly identity: Identity;
  /** Resolves when the process has died, however it died, or has closed its socket. */
  readonly gone: Promise<void>;
  /** Ends the connection, which keeps this process alive; `gone` then resolves although the other may live on. */
  release(): void;
}

/** Somebody holds the control socket but says nothing, because it is stopped or busy: neither alive nor gone. */
export class SilentHolderError extends Error {
  override readonly name = "SilentHolderError";
  readonly path: string;

  constructor(path: string, waitedSec: number) {
    super(`A process holds ${path} but has not answered for ${waitedSec} seconds; end it and start again.`);
    this.path = path;
  }
}

type Answer = Found | "nobody" | "no answer";

const patienceSec = 10;
const againMs = 20;

/**
 * Asks who answers at a control socket. Null when no living process does: no socket, or the socket of a dead process.
 * Throws `SilentHolderError` when a process holds the socket and does not answer within 10 seconds.
 */
export async function inquire(path: string): Promise<Found | null> {
  checkPathLength(path);
  const until = Date.now() + patienceSec * 1000;
  for (;;) {
    const answer = await ask(path, until - Date.now());
    if (answer === "nobody") return null;
    if (answer !== "no answer") return answer;
    if (Date.now() >= until) throw new SilentHolderError(path, patienceSec);
    await pause(againMs);
  }
}

function ask(path: string, patienceMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    const timer = setTimeout(() => socket.destroy(), Math.max(patienceMs, 1));
    let text = "";
    // A connection closed before the line is not a death: a process out of file descriptors does that, too.
    void closed.then(() => {
      clearTimeout(timer);
      resolve("no answer");
    });
    socket.on("error", (error: NodeJS.ErrnoException) => settleError(error, resolve, reject));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      text += piece;
      const identity = text.endsWith("\n") ? parseIdentity(text) : null;
      if (identity === null) return;
      clearTimeout(timer);
      resolve({ identity, gone: closed, release: () => void socket.destroy() });
    });
  });
}

function settleError(
  error: NodeJS.ErrnoException,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): void {
  // The only two signs that nobody listens there. Everything else says nothing about the holder.
  if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve("nobody");
  else if (error.code === "EACCES" || error.code === "EPERM" || error.code === "ENOTSOCK") reject(error);
  else resolve("no answer");
}
