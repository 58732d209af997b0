import { type DestinationStream, type Logger, pino } from "pino";

/** The process's own log, JSON lines. Bodies, headers and credentials are never given to it. */
export type Log = Logger;

/** A log at `level` (pino's names; `silent` for none), to `destination` or standard output. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined ? pino(options) : pino(options, destination);
}
