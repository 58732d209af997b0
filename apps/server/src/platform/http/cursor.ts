import { Refusal } from "../refusal.ts";

/** What a list handler answers: one page, and where the next one starts (null on the last). */
export interface Paged<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Cuts a page of `limit` from up to `limit + 1` rows read; `keyOf` names the row after which the next page starts. */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string | number,
  present: (row: Row) => T,
): Paged<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? encodeCursor(String(keyOf(last))) : null;
  return { items: shown.map(present), next };
}

const encodeCursor = (key: string): string => Buffer.from(key, "utf8").toString("base64url");

/** The key inside a cursor; `valid` says whether this list could have given it out. */
export function decodeCursor(cursor: string | undefined, valid: (key: string) => boolean): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, "base64url").toString("utf8");
  if (valid(key)) return key;
  throw new Refusal("invalid_request", "The cursor is not one that this list gave out.", {
    details: [{ path: "cursor", message: "take it from the Link header of the page before, unchanged" }],
  });
}
