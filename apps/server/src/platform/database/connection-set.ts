import postgres from "postgres";
import { isBroken } from "./faults.ts";
import { Waiters } from "./waiters.ts";

/** One connection, for as long as it is lent. */
export interface Lent {
  readonly driver: postgres.Sql;
  /** True from the moment on when nothing may be sent over it any more. */
  readonly isLost: boolean;
  /** Says that it is lost: what it was lent for fails with this at once. */
  lose(fault: unknown): void;
}

/** What a set of connections is doing, and what it did since it was made. */
export interface SetUse {
  readonly open: number;
  readonly lent: number;
  readonly waiting: number;
  /** Seconds that were waited for a connection, all together. */
  readonly waitedSec: number;
  /** How often none came free in time. */
  readonly refused: number;
}

/** Connections that are lent one at a time. */
export interface ConnectionSet {
  /**
   * Lends a connection to `work`, which has it alone until it ends. Fails when the connection is lost, whatever becomes
   * of `work`; throws {@link DatabaseBusy} when none comes free.
   */
  lend<T>(work: (connection: Lent) => PromiseLike<T>): Promise<T>;
  use(): SetUse;
  /** Ends what is lent within a few seconds, and the rest at once. */
  close(): Promise<void>;
}

/** How large a set is, and how long somebody waits for one of its connections. */
export interface SetLimits {
  readonly most: number;
  readonly patienceMs: number;
}

/** So many may wait, for each connection there can be. */
const waitingForEach = 100;
const endSec = 5;
/** After so long a connection is replaced, between two loans: what it has prepared is kept as long as it lives. */
const lifetimeMs = 3_600_000;

/** What everybody gets whose connection is lost. */
export const connectionLost = (): Error =>
  Object.assign(new Error("the connection to the database was lost"), { code: "CONNECTION_CLOSED" });

class Line implements Lent {
  readonly driver: postgres.Sql;
  isLost = false;
  readonly until = performance.now() + lifetimeMs;
  /** Fails what it is lent for. */
  fail: ((fault: unknown) => void) | null = null;

  constructor(options: object, lost: (line: Line) => void) {
    const onclose = (): void => {
      this.lose(connectionLost());
      lost(this);
    };
    // Types are asked for at every connection, for arrays, which we do not use; a failure there ends the process.
    const alone = { max: 1, max_lifetime: null, fetch_types: false, onclose };
    // The driver takes its own parsed options again, which its types do not say.
    this.driver = postgres({ ...options, ...alone } as object);
  }

  get isSpent(): boolean {
    return this.isLost || this.until < performance.now();
  }

  lose(fault: unknown): void {
    this.isLost = true;
    this.fail?.(fault);
  }

  /** Has it used by one; fails when either that does or the connection is lost. */
  async serve<T>(work: (connection: Lent) => PromiseLike<T>): Promise<T> {
    try {
      return await new Promise((resolve, reject) => {
        this.fail = reject;
        work(this).then(resolve, reject);
      });
    } catch (error) {
      if (isBroken(error)) this.isLost = true;
      throw error;
    } finally {
      this.fail = null;
    }
  }
}

/**
 * Makes a set of at most so many connections, opened when they are needed. The driver could share them out itself, but
 * what it does with one that is lost is not to be relied on: it writes to it still, which ends the process, and may give
 * the next answer to whoever asked before. So each is a driver of its own, and thrown away when it is lost.
 */
export function createConnectionSet(options: object, { most, patienceMs }: SetLimits): ConnectionSet {
  const lines = new Set<Line>();
  const idle: Line[] = [];
  const waiters = new Waiters<Line>({ most: most * waitingForEach, patienceMs });
  let isClosed = false;

  function open(): Line {
    const line = new Line(options, discard);
    lines.add(line);
    return line;
  }

  function discard(line: Line): void {
    if (!lines.delete(line)) return;
    const at = idle.indexOf(line);
    if (at >= 0) idle.splice(at, 1);
    line.driver.end({ timeout: 0 }).catch(() => undefined);
    if (waiters.use.waiting > 0) waiters.hand(open());
  }

  async function take(): Promise<Line> {
    if (isClosed) throw connectionLost();
    return idle.pop() ?? (lines.size < most ? open() : waiters.wait());
  }

  return {
    async lend(work) {
      const line = idle.pop() ?? (await take());
      try {
        return await line.serve(work);
      } finally {
        if (line.isSpent) discard(line);
        else if (!waiters.hand(line)) idle.push(line);
      }
    },
    use: () => ({ open: lines.size, lent: lines.size - idle.length, ...waiters.use }),
    async close() {
      isClosed = true;
      waiters.end(connectionLost());
      await Promise.all([...lines].map(({ driver }) => driver.end({ timeout: endSec })));
    },
  };
}
