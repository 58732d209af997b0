import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";

type Drizzle = PostgresJsDatabase<Record<string, never>>;

/** Reads. Behind it stand connections that are read-only, so the database itself refuses a write. */
export type Reader = Pick<Drizzle, "select" | "selectDistinct" | "selectDistinctOn" | "with" | "execute">;
/** Reads and writes inside one transaction. */
export type Writer = Reader & Pick<Drizzle, "insert" | "update" | "delete" | "$with">;

/** Counts statements at the driver, BEGIN and COMMIT included; the bench and tests read it. */
export interface StatementCounter {
  count: number;
}

/** Connections to PostgreSQL: a read-only set and a writing set. */
export interface Database {
  readonly reader: Reader;
  /** One transaction: commits what `work` did, or nothing when it throws. */
  transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** The plain driver of the writing set, for migrations, NOTIFY and LISTEN. */
  readonly driver: postgres.Sql;
  readonly statements: StatementCounter;
  close(): Promise<void>;
}

/** How to reach the database. `poolSize` connections are used for reads and as many for writes. */
export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  readonly applicationName?: string;
}

const reconnectSec = 0.25;

/** Opens connections lazily; fails on the first statement when the database cannot be reached. */
export function openDatabase(options: DatabaseOptions): Database {
  const statements: StatementCounter = { count: 0 };
  const shared = {
    max: options.poolSize ?? 10,
    connect_timeout: 5,
    idle_timeout: 0,
    // The driver's own pause grows to 20 s; a database that is back should be used at once.
    backoff: () => reconnectSec,
    onnotice: () => undefined,
    types: {},
  };
  const application_name = options.applicationName ?? "roster";
  const writing = postgres(options.url, { ...shared, connection: { application_name } });
  const reading = postgres(options.url, {
    ...shared,
    connection: { application_name, default_transaction_read_only: true },
  });
  return {
    reader: drizzleOver(reading.options, statements, () => reading),
    transaction: transactionsOn(writing, statements),
    driver: writing,
    statements,
    close: async () => {
      await Promise.all([reading.end({ timeout: 5 }), writing.end({ timeout: 5 })]);
    },
  };
}

/** A writer, and the connection its statements go to: none between two transactions. */
interface Desk {
  connection: postgres.TransactionSql | null;
  readonly writer: Writer;
}

/**
 * Runs transactions. Each sits down at a desk that outlives it, so that what is built once for a writer serves later
 * transactions, too. There are no more desks than connections.
 */
function transactionsOn(driver: postgres.Sql, statements: StatementCounter): Database["transaction"] {
  const free = [newDesk(driver, statements)];
  return <T>(work: (writer: Writer) => Promise<T>): Promise<T> =>
    driver.begin(async (connection) => {
      statements.count += 2;
      const desk = free.pop() ?? newDesk(driver, statements);
      desk.connection = connection;
      try {
        return await work(desk.writer);
      } finally {
        desk.connection = null;
        free.push(desk);
      }
    }) as Promise<T>;
}

function newDesk({ options }: postgres.Sql, statements: StatementCounter): Desk {
  const place: { connection: postgres.TransactionSql | null } = { connection: null };
  const writer = drizzleOver(options, statements, () => {
    if (place.connection === null) throw new Error("a statement came after the end of its transaction");
    return place.connection;
  });
  return Object.assign(place, { writer });
}

/**
 * Drizzle, sending over the connection that is there at the time. It would send each statement unnamed, which costs a
 * parse, a plan and an extra round trip every time; here each distinct text is prepared once per connection. Every
 * statement is counted.
 */
function drizzleOver(
  options: postgres.Sql["options"],
  statements: StatementCounter,
  connection: () => Pick<postgres.Sql, "unsafe">,
): Drizzle {
  const unsafe = (text: string, parameters: never[]) => {
    const sending = connection().unsafe(text, parameters, { prepare: true });
    statements.count += 1;
    return sending;
  };
  return drizzle({ options, unsafe } as unknown as postgres.Sql, { casing: "snake_case" });
}
