import { type Operation, takesKey } from "@roster/contract";
import type { Insisting } from "./try-again.ts";

const defaults = { retries: 3, timeoutMs: 90_000, totalMs: 180_000 } as const;

/** Where and as whom to call, and for how long. */
export interface ClientOptions {
  /** Address of the service: `http://localhost:3100`. */
  readonly baseUrl: string;
  /** The credential of an agent or a runner; without one the call is the board's (local trusted mode). */
  readonly token?: string | undefined;
  /** Sent with every call, such as the cookie of a session where no browser keeps it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * How often a call is tried again that got no answer, or was refused for now (429, 502, 503, 504); 3 where absent, 0 for
   * never. Only what is not done twice by it: reads, and changes, which go with an `Idempotency-Key`. What takes no key
   * (signing in and out, the protocol of runners) is tried once.
   */
  readonly retries?: number;
  /** Longest that one try may take, in milliseconds; 90,000 where absent. */
  readonly timeoutMs?: number;
  /** Longest that a call may take with all its tries and the waits between them; 180,000 ms where absent. */
  readonly totalMs?: number;
  /** Longest silence of a stream before it is asked for anew, in milliseconds; 45,000 where absent. */
  readonly silenceMs?: number;
}

/** What a call carries beside its operation; all parts are optional at this level. */
export interface CallParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly ifMatch?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly range?: ByteRange;
  readonly signal?: AbortSignal | undefined;
}

/** A part of some bytes: from its first, or the first of all, to before `to`, or to the last. */
export interface ByteRange {
  readonly from?: number;
  readonly to?: number;
}

/** Path and query of a call, encoded. */
export function addressOf(operation: Operation, parts: CallParts): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts.params?.[name] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** What goes out, beside the address. */
interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How long a call with these options is insisted on. */
export const insistingOf = (options: ClientOptions, { signal }: CallParts): Insisting => ({
  retries: options.retries ?? defaults.retries,
  timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
  totalMs: options.totalMs ?? defaults.totalMs,
  signal,
});

/** The call as it can be sent several times with one effect, and how often it is; the caller's own key is kept. */
export function repeatable(
  operation: Operation,
  parts: CallParts,
  options: ClientOptions,
): { readonly input: CallParts; readonly insisting: Insisting } {
  const insisting = insistingOf(options, parts);
  if (operation.method === "GET" || insisting.retries === 0) return { input: parts, insisting };
  if (!takesKey(operation)) return { input: parts, insisting: { ...insisting, retries: 0 } };
  return { input: { ...parts, idempotencyKey: parts.idempotencyKey ?? newKey() }, insisting };
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Headers and body of a call. */
export function requestOf(operation: Operation, parts: CallParts, { token, headers: own }: ClientOptions): Sent {
  const headers: Record<string, string> = { ...own, accept: "application/json" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (parts.ifMatch !== undefined) headers["if-match"] = `"${parts.ifMatch}"`;
  if (parts.idempotencyKey !== undefined) headers["idempotency-key"] = parts.idempotencyKey;
  if (parts.range !== undefined) headers["range"] = rangeOf(parts.range);
  const init = { method: operation.method, headers };
  if (parts.body === undefined) return init;
  headers["content-type"] = operation.method === "PATCH" ? "application/merge-patch+json" : "application/json";
  return { ...init, body: JSON.stringify(parts.body) };
}

/** HTTP can not ask for nothing, and would answer everything. */
function rangeOf({ from = 0, to }: ByteRange): string {
  if (to === undefined) return `bytes=${from}-`;
  if (to <= from) throw new RangeError(`no bytes are from ${from} to before ${to}`);
  return `bytes=${from}-${to - 1}`;
}
