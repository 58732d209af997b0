import { allOperations, type NamedOperation, type Operation, takesVersion } from "@roster/contract";
import { Refusal } from "../refusal.ts";
import type { Versioned } from "./handler.ts";

/** The operation that reads what a versioned one changes: the nearest one above it in the path. Pure. */
export function readerOf(operation: Operation): NamedOperation | undefined {
  if (!takesVersion(operation)) return undefined;
  const { path } = operation;
  const readers = allOperations().filter(({ operation: { method, answer, path: above } }) => {
    const isRead = method === "GET" && answer.kind === "record" && answer.versioned === true;
    return isRead && (path === above || path.startsWith(`${above}/`));
  });
  return readers.sort((one, other) => other.operation.path.length - one.operation.path.length)[0];
}

/** A refused `If-Match` with what is there now beside it, so that the caller can merge; any other fault as it is. */
export async function withPresent(error: unknown, read: () => Promise<Versioned<unknown>>): Promise<unknown> {
  if (!(error instanceof Refusal) || error.code !== "stale_revision" || error.status !== 412) return error;
  const { code, message, details } = error;
  try {
    const { version, body } = await read();
    return new Refusal(code, message, { details, fix: { etag: `"${version}"`, present: body } });
  } catch {
    // Gone meanwhile, or the database is away: what was found out stands.
    return error;
  }
}
