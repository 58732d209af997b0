/** What a serving process has used up to now, and where it listens. */
export interface Expense {
  readonly url: string;
  /** Statements sent to the database; null where nobody counts. */
  readonly statements: number | null;
  /** How often each was sent; only where somebody counts. */
  readonly texts?: Readonly<Record<string, number>>;
  /** Time on a processor, in microseconds. */
  readonly cpuMicros: number;
  readonly memoryBytes: number;
}

/** Of this process. */
export function expense(url: string, statements: number | null): Expense {
  const { user, system } = process.cpuUsage();
  return { url, statements, cpuMicros: user + system, memoryBytes: process.memoryUsage.rss() };
}
