import { type Logger, pino } from "pino";

/** The runner's own log, JSON lines. What runs print, their orders and credentials are never given to it. */
export type Log = Logger;

/** A log at `level` (pino's names; `silent` for none) to standard output. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
