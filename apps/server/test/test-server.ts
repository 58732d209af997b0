import { type Client, createClient } from "@roster/client";
import { createTestDatabase } from "@roster/testing";
import { inject } from "vitest";
import {
  type AppOptions,
  createApp,
  createLog,
  type Database,
  openDatabase,
  openMasterKey,
  systemClock,
} from "../src/index.ts";

/** A real server on a database of its own, reached over HTTP. */
export interface TestServer {
  readonly url: string;
  /** The local board. */
  readonly board: Client;
  /** A client that holds an agent's token. */
  as(token: string): Client;
  readonly database: Database;
  readonly keys: AppOptions["keys"];
  /** Everything the server logged so far. */
  readonly logged: string[];
  /** Another server on the same database. */
  sibling(options?: TestOptions): Promise<TestServer>;
  close(): Promise<void>;
}

/** What a test sets otherwise than usual. */
export type TestOptions = Partial<
  Pick<
    AppOptions,
    | "mode"
    | "publicUrl"
    | "trustedProxies"
    | "signInTries"
    | "rateLimits"
    | "metricsToken"
    | "egress"
    | "skillRoots"
    | "bounds"
    | "beatMs"
  >
> & {
  /** Longest that a connection to the database, or a lock, is waited for. */
  readonly patienceMs?: number;
  /** Another master key, or one that takes the place of another. */
  readonly masterKeys?: { readonly value: string; readonly previousValue?: string };
};

/** The master key of every test, unless it says otherwise. */
export const testKey = "11".repeat(32);

/** Starts a server that checks each of its answers against the contract. */
export async function startTestServer(options: TestOptions = {}): Promise<TestServer> {
  const testDatabase = await createTestDatabase(inject("clusterUrl"), inject("templateDatabase"));
  const server = await serverOn(testDatabase.url, options);
  return {
    ...server,
    close: async () => {
      await server.close();
      await testDatabase.drop();
    },
  };
}

async function serverOn(databaseUrl: string, options: TestOptions): Promise<TestServer> {
  const { masterKeys, patienceMs, ...others } = options;
  const database = openDatabase({ url: databaseUrl, poolSize: 5, patienceMs });
  const keys = await openMasterKey(
    { value: testKey, file: undefined, home: undefined, ...masterKeys },
    database.driver,
  );
  const logged: string[] = [];
  const log = createLog("debug", { write: (line) => void logged.push(line) });
  const always = { database, keys, clock: systemClock, log, version: "0.0.0-test", checkAnswers: true };
  const app = createApp({ ...others, ...always });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    url,
    // A refusal is what many tests wait for: none is tried again.
    board: createClient({ baseUrl: url, retries: 0 }),
    as: (token) => createClient({ baseUrl: url, token, retries: 0 }),
    database,
    keys,
    logged,
    sibling: (other = {}) => serverOn(databaseUrl, { ...options, ...other }),
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}
