import type { Reader } from "./connection.ts";

interface Preparable<R> {
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<R> };
}

/**
 * A query built once per database instead of once per request, for the calls that must be fast. Values come in through
 * `sql.placeholder`.
 */
export function prepared<R, V extends Record<string, unknown>>(
  name: string,
  build: (db: Reader) => Preparable<R>,
): (db: Reader, values: V) => Promise<R> {
  const built = new WeakMap<Reader, ReturnType<Preparable<R>["prepare"]>>();
  return (db, values) => {
    const query = built.get(db) ?? build(db).prepare(name);
    built.set(db, query);
    return query.execute(values);
  };
}
