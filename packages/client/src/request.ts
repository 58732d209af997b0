import type { Operation } from "@roster/contract";

/** What a call carries beside its operation; all parts are optional at this level. */
export interface CallParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly ifMatch?: number | undefined;
  readonly idempotencyKey?: string | undefined;
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
export function requestOf(operation: Operation, parts: CallParts, token: string | undefined): RequestInit {
  const headers: Record<string, string> = { accept: "application/json" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (parts.ifMatch !== undefined) headers["if-match"] = `"${parts.ifMatch}"`;
  if (parts.idempotencyKey !== undefined) headers["idempotency-key"] = parts.idempotencyKey;
  if (parts.body === undefined) return { method: operation.method, headers };
  headers["content-type"] = operation.method === "PATCH" ? "application/merge-patch+json" : "application/json";
  return { method: operation.method, headers, body: JSON.stringify(parts.body) };
}
