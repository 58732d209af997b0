/** PostgreSQL's own error behind what the driver or drizzle threw, if there is one. */
export function databaseFault(error: unknown): { code: string; constraint: string | undefined } | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, constraint_name: constraint } = current as { code?: unknown; constraint_name?: string };
    if (typeof code === "string") return { code, constraint };
  }
  return null;
}

/** True when the same transaction may simply be tried again: deadlock or serialisation failure. */
export const isRetryable = (error: unknown): boolean => ["40001", "40P01"].includes(databaseFault(error)?.code ?? "");

const away = /^(CONNECT|CONNECTION_|ECONN|ENOENT|EPIPE|ETIMEDOUT|ERR_STREAM|57P0[1-5]|08|53[0-9]{2}|25006|25P03)/;

/** True when the database cannot be reached, is starting or stopping, or has no room for another connection. */
export const isAway = (error: unknown): boolean => away.test(databaseFault(error)?.code ?? "");

const broken = /^(CONNECT|CONNECTION_|E[A-Z]+$|ERR_STREAM|57P0[1-5]|08|25P03)/;

/** True when the connection over which this came is not to be used any more, or was never there. */
export const isBroken = (error: unknown): boolean => broken.test(databaseFault(error)?.code ?? "");

/** No connection to the database came free in time, or too many wait for one. */
export class DatabaseBusy extends Error {
  readonly code = "DATABASE_BUSY";
}

/** True when there is a database that has too much to do: no connection came free in time, or a lock did not. */
export const isBusy = (error: unknown): boolean =>
  ["DATABASE_BUSY", "55P03"].includes(databaseFault(error)?.code ?? "");
