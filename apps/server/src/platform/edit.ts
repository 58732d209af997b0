import { isDeepStrictEqual } from "node:util";
import { Refusal } from "./refusal.ts";

/** Refuses a change based on an older version than the present one. Without `If-Match` there is nothing to compare. */
export function requireVersion(present: number, ifMatch: number | null): void {
  if (ifMatch === null || ifMatch === present) return;
  throw new Refusal("stale_revision", "This was changed since you read it. Read it again and repeat your change.", {
    details: [{ path: "if-match", message: `is "${ifMatch}", the present ETag is "${present}"` }],
  });
}

type Named<P> = { [K in keyof P]?: Exclude<P[K], undefined> };

/** The members of `patch` that differ from the present values. Pure. */
export function changedFields<P extends object>(present: Readonly<Record<keyof P, unknown>>, patch: P): Named<P> {
  const entries = Object.entries(patch).filter(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, present[key as keyof P]),
  );
  return Object.fromEntries(entries) as Named<P>;
}
