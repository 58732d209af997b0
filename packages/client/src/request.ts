import type { Operation } from "@roster/contract";

/** Where and as whom to call. */
export interface ClientOptions {
  /** Address of the service, without a path: `http://localhost:3100`. */
  readonly baseUrl: string;
  /** The credential of an agent or a runner; without one the call is the board's (local trusted mode). */
  readonly token?: string | undefined;
  /** Sent with every call, such as the cookie of a session where no browser keeps it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
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

/** Headers and body of a call. */
export function requestOf(operation: Operation, parts: CallParts, { token, headers: own }: ClientOptions): RequestInit {
  const headers: Record<string, string> = { ...own, accept: "application/json" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (parts.ifMatch !== undefined) headers["if-match"] = `"${parts.ifMatch}"`;
  if (parts.idempotencyKey !== undefined) headers["idempotency-key"] = parts.idempotencyKey;
  if (parts.range !== undefined) headers["range"] = rangeOf(parts.range);
  const init = { method: operation.method, headers, signal: parts.signal ?? null };
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
