import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type ConnectionSet, connectionLost, createConnectionSet, type Lent, type SetUse } from "./connection-set.ts";
import { isBroken } from "./faults.ts";

type Drizzle = PostgresJsDatabase<Record<string, never>>;

/** Reads. Behind it stand connections that are read-only, so the database itself refuses a write. */
export type Reader = Pick<Drizzle, "select" | "selectDistinct" | "selectDistinctOn" | "with" | "execute">;
/** Reads and writes inside one transaction. */
export type Writer = Reader & Pick<Drizzle, "insert" | "update" | "delete" | "$with">;

/** Counts statements at the driver, BEGIN and COMMIT included; the bench and tests read it. */
export interface StatementCounter {
  count: number;
  /** Hears the text of each statement from when it is set. */
  hear?: (text: string) => void;
}

/** Connections to PostgreSQL: a read-only set and a writing set. */
export interface Database {
  readonly reader: Reader;
  /** One transaction: commits what `work` did, or nothing when it throws. */
  transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** Reads and writes outside of transactions: each statement stays, whatever becomes of the next. */
  readonly autocommit: Writer;
  /** The plain driver with connections of its own, for migrations, and for what LISTEN and NOTIFY derive from it. */
  readonly driver: postgres.Sql;
  readonly statements: StatementCounter;
  /** What the two sets are doing. */
  use(): { readonly read: SetUse; readonly write: SetUse };
  close(): Promise<void>;
}

/** How to reach the database. `poolSize` connections are used for reads and as many for writes. */
export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  readonly applicationName?: string;
  /** Longest that a connection, or a lock, is waited for; 10 seconds, if not set. */
  readonly patienceMs?: number | undefined;
}

const reconnectSec = 0.25;
const usualPatienceMs = 10_000;
/** Who holds locks and does nothing for so long, because it was stopped with its machine, holds up all others. */
const idleInTransactionMs = 30_000;

/** Opens connections lazily; fails on the first statement when the database cannot be reached. */
export function openDatabase(options: DatabaseOptions): Database {
  const statements: StatementCounter = { count: 0 };
  const { poolSize: most = 10, patienceMs = usualPatienceMs } = options;
  const shared = {
    max: most,
    connect_timeout: 5,
    idle_timeout: 0,
    // The driver's own pause grows to 20 s; a database that is back should be used at once.
    backoff: () => reconnectSec,
    onnotice: () => undefined,
    types: {},
  };
  const application_name = options.applicationName ?? "roster";
  const driver = postgres(options.url, { ...shared, connection: { application_name } });
  const settingsOf = (connection: object) => postgres(options.url, { ...shared, connection } as object).options;
  const forReading = settingsOf({ application_name, default_transaction_read_only: true });
  const forWriting = settingsOf({
    application_name,
    lock_timeout: patienceMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  });
  const reading = createConnectionSet(forReading, { most, patienceMs });
  const writing = createConnectionSet(forWriting, { most, patienceMs });
  return {
    reader: drizzleOver(forReading, statements, lendEach(reading)),
    transaction: transactionsOn({ set: writing, options: forWriting, statements }),
    autocommit: drizzleOver(forWriting, statements, lendEach(writing)),
    driver,
    statements,
    use: () => ({ read: reading.use(), write: writing.use() }),
    close: async () => {
      await Promise.all([reading.close(), writing.close(), driver.end({ timeout: 5 })]);
    },
  };
}

/** Sends a statement. What comes back are rows, or arrays of values where that is said at once. */
type Send = (text: string, parameters: never[]) => PromiseLike<unknown> & { values(): PromiseLike<unknown> };

/** Sends each statement over a connection that is lent for it alone. */
const lendEach =
  (set: ConnectionSet): Send =>
  (text, parameters) => {
    let asArrays = false;
    const answer = Promise.resolve().then(() =>
      set.lend<unknown>(({ driver }) => {
        const sending = driver.unsafe(text, parameters, { prepare: true });
        return asArrays ? sending.values() : sending;
      }),
    );
    const values = (): Promise<unknown> => {
      asArrays = true;
      return answer;
    };
    return Object.assign(answer, { values });
  };

function count(statements: StatementCounter, text: string): void {
  statements.count += 1;
  statements.hear?.(text);
}

/** A writer, and the connection its statements go to: none between two transactions. */
interface Desk {
  place: { readonly lent: Lent; readonly connection: postgres.TransactionSql } | null;
  readonly writer: Writer;
}

interface Office {
  readonly set: ConnectionSet;
  readonly options: postgres.Sql["options"];
  readonly statements: StatementCounter;
}

/**
 * Runs transactions. Each sits down at a desk that outlives it, so that what is built once for a writer serves later
 * transactions, too. There are no more desks than connections.
 */
function transactionsOn(office: Office): Database["transaction"] {
  const free: Desk[] = [];
  return <T>(work: (writer: Writer) => Promise<T>): Promise<T> =>
    office.set.lend<T>((lent) => {
      const begun = lent.driver.begin((connection) => {
        for (const text of ["begin", "commit"]) count(office.statements, text);
        const desk = free.pop() ?? newDesk(office);
        desk.place = { lent, connection };
        const done = work(desk.writer).finally(() => {
          desk.place = null;
          free.push(desk);
        });
        return unlessLost(lent, done);
      });
      return begun as Promise<T>;
    });
}

/**
 * What `work` comes to. Over a connection that is lost the driver would say COMMIT or ROLLBACK still, which ends the
 * process: so it never hears how this ended. Who lent the connection knows already.
 */
async function unlessLost<T>(lent: Lent, work: Promise<T>): Promise<T> {
  const ended = await work.then(
    (value) => ({ value }),
    (fault: unknown) => {
      if (isBroken(fault)) lent.lose(fault);
      return { fault };
    },
  );
  if (lent.isLost) return new Promise<never>(() => undefined);
  if ("fault" in ended) throw ended.fault;
  return ended.value;
}

function newDesk({ options, statements }: Office): Desk {
  const desk: { place: Desk["place"] } = { place: null };
  const writer = drizzleOver(options, statements, (text, parameters) => {
    if (desk.place === null) throw new Error("a statement came after the end of its transaction");
    const { lent, connection } = desk.place;
    if (lent.isLost) throw connectionLost();
    const sending = connection.unsafe(text, parameters, { prepare: true });
    sending.catch((fault: unknown) => isBroken(fault) && lent.lose(fault));
    return sending;
  });
  return Object.assign(desk, { writer });
}

/**
 * Drizzle, sending each statement in some way. It would send it unnamed, which costs a parse, a plan and an extra round
 * trip every time; here each distinct text is prepared once per connection. Every statement is counted.
 */
function drizzleOver(options: postgres.Sql["options"], statements: StatementCounter, send: Send): Drizzle {
  const unsafe: Send = (text, parameters) => {
    const sending = send(text, parameters);
    count(statements, text);
    return sending;
  };
  return drizzle({ options, unsafe } as unknown as postgres.Sql, { casing: "snake_case" });
}
