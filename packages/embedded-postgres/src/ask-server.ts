import { readFile, realpath } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import postgres from "postgres";
import { superuser } from "./make-cluster.ts";

/** The name of the product's database. The server's own `postgres` is used here, so that this one can be dropped. */
const productDatabase = "roster";
const port = 5432;
/** Recovery after a crash takes as long as the write-ahead log is, and must not be interrupted. */
const recoveryPatienceSec = 300;
const silencePatienceSec = 30;

/** A server that has said which data folder it serves. */
export interface Session {
  /** The real path of its data folder. */
  readonly data: string;
  /** The postmaster, as the server's own lock file has it. */
  readonly pid: number;
  /** Resolves when the connection is gone, which is at the latest when the server is. */
  readonly closed: Promise<void>;
  /** Makes the product's database unless it is there. */
  makeProductDatabase(): Promise<void>;
  /** Lets this process end while the connection is open. */
  unref(): void;
  end(): Promise<void>;
}

/** What comes back from a socket: a server, nobody, one that is starting or stopping, or one that refuses us. */
export type Answer =
  | { readonly kind: "server"; readonly session: Session }
  | { readonly kind: "nobody" }
  | { readonly kind: "busy"; readonly words: string; readonly patienceSec: number }
  | { readonly kind: "refusal"; readonly words: string };

interface Identity {
  readonly data: string;
  readonly lock: string;
  readonly hasProduct: boolean;
}

/** A URL that postgres.js takes as it is, and libpq as well. */
export function urlOf(sockets: string, password: string): string {
  // postgres.js sees a socket's path in a host only when there is a comma in it; libpq takes what is before the comma.
  // `,` is a link to the folder itself, so both arrive at the same socket.
  const host = encodeURIComponent(`${sockets}/,`);
  return `postgres://${superuser}:${encodeURIComponent(password)}@${host}/${productDatabase}`;
}

/**
 * Asks whoever answers in the socket's folder who it is. `passwordFile` is read anew each time, since it comes into
 * being together with the cluster. Never takes longer than `timeoutSec`.
 */
export async function askServer(sockets: string, passwordFile: string, timeoutSec: number): Promise<Answer> {
  const password = await readFile(passwordFile, "utf8").catch(() => null);
  if (password === null) return { kind: "nobody" };
  const path = `${sockets}/.s.PGSQL.${port}`;
  let socket: Socket | undefined;
  let closed: Promise<void> = Promise.resolve();
  const sql = connect(path, password, timeoutSec, (made) => {
    socket = made;
    closed = new Promise((resolve) => made.once("close", () => resolve()));
  });
  try {
    const identity = await withinSec(timeoutSec, identify(sql));
    const session: Session = {
      data: await realpath(identity.data).catch(() => identity.data),
      pid: Number(identity.lock.split("\n")[0]),
      closed,
      makeProductDatabase: () => (identity.hasProduct ? Promise.resolve() : makeProductDatabase(sql)),
      unref: () => socket?.unref(),
      end: () => sql.end({ timeout: 0 }),
    };
    return { kind: "server", session };
  } catch (error) {
    socket?.destroy();
    await sql.end({ timeout: 0 });
    return answerFor(error as Error & { code?: string });
  }
}

function connect(path: string, password: string, timeoutSec: number, onSocket: (socket: Socket) => void): postgres.Sql {
  const options = {
    host: "localhost",
    path,
    database: "postgres",
    username: superuser,
    password,
    ssl: false,
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: timeoutSec,
    fetch_types: false,
    prepare: false,
    onnotice: () => undefined,
    connection: { application_name: "roster database supervisor" },
    socket: () => {
      const made = createConnection(path);
      onSocket(made);
      return made;
    },
  };
  return postgres(options);
}

async function identify(sql: postgres.Sql): Promise<Identity> {
  const [identity] = await sql<Identity[]>`
    select current_setting('data_directory') as data, pg_read_file('postmaster.pid') as lock,
      exists (select from pg_database where datname = ${productDatabase}) as "hasProduct"`;
  if (!identity) throw new Error("the server gave no answer");
  return identity;
}

async function makeProductDatabase(sql: postgres.Sql): Promise<void> {
  try {
    await sql`create database ${sql(productDatabase)}`.simple();
  } catch (error) {
    // Another process made it meanwhile: duplicate_database, or the unique index that notices first.
    if (!["42P04", "23505"].includes((error as { code?: string }).code ?? "")) throw error;
  }
}

function answerFor(error: Error & { code?: string }): Answer {
  const code = error.code ?? "";
  if (["ENOENT", "ECONNREFUSED", "ENOTDIR", "ENOTSOCK"].includes(code)) return { kind: "nobody" };
  // invalid_password, invalid_authorization_specification, insufficient_privilege
  if (["28P01", "28000", "42501"].includes(code)) return { kind: "refusal", words: error.message };
  // cannot_connect_now: it starts, recovers or stops.
  return {
    kind: "busy",
    words: error.message,
    patienceSec: code === "57P03" ? recoveryPatienceSec : silencePatienceSec,
  };
}

async function withinSec<T>(timeoutSec: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutSec} s`)), timeoutSec * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
