import type { Whynot } from "@roster/client";
import { allOperations, type NamedOperation } from "@roster/contract";

/** A call that the service proposes. */
export type Fix = NonNullable<Whynot["reasons"][number]["fix"]>;

/** The operation that a proposed call is, with what is in its path; null where it is none. Pure. */
export function operationOf({ method, path }: Pick<Fix, "method" | "path">): {
  readonly named: NamedOperation;
  readonly params: Readonly<Record<string, string>>;
} | null {
  const given = path.split("/");
  for (const named of allOperations()) {
    if (named.operation.method !== method) continue;
    const params = paramsIn(named.operation.path.split("/"), given);
    if (params !== null) return { named, params };
  }
  return null;
}

function paramsIn(pattern: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (pattern.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}
