import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@roster/client";
import { type Database, migrate, openDatabase } from "@roster/server";
import { createTestDatabase, startTestCluster } from "@roster/testing";
import { type Child, startChild } from "./child.ts";
import type { Expense } from "./expense.ts";

/** A serving process and where it listens. */
export interface Target {
  readonly child: Child;
  readonly pid: number;
  readonly url: string;
}

/** The real server and the floor on one real database, and a load generator: each a process of its own. */
export interface Stage {
  readonly server: Target;
  readonly floor: Target;
  readonly load: Child;
  readonly board: Client;
  as(token: string): Client;
  /** Another server, on an empty database of its own, where everybody has to sign in. */
  guarded(): Promise<Pick<Target, "url"> & { readonly database: Database }>;
  /** The database itself, for what must not be counted as the service's. */
  readonly database: Database;
  readonly postgresVersion: string;
  /** What makes Node.js write a profile of a process; empty where none is wished for. */
  readonly profiling: readonly string[];
  /** Brings what the planner knows up to date, so that it does not find out in the middle of a measurement. */
  settle(): Promise<void>;
}

const migrations = fileURLToPath(new URL("../../../apps/server/migrations", import.meta.url));

/**
 * Builds the stage, works on it and clears it away whatever happened. `profileFolder`, if given, receives a profile of
 * each serving process.
 */
export async function onStage<T>(profileFolder: string | null, work: (stage: Stage) => Promise<T>): Promise<T> {
  const endings: (() => Promise<unknown>)[] = [];
  const child = (...start: Parameters<typeof startChild>): Child => {
    const started = startChild(...start);
    endings.push(started.stop);
    return started;
  };
  try {
    const cluster = await startTestCluster();
    endings.push(cluster.stop);
    const emptyDatabase = async (): Promise<{ url: string; database: Database }> => {
      const { url, drop } = await createTestDatabase(cluster.url);
      endings.push(drop);
      const database = openDatabase({ url, poolSize: 1 });
      endings.push(database.close);
      await migrate(database.driver, migrations);
      return { url, database };
    };
    const { url: databaseUrl, database } = await emptyDatabase();
    const [version] = await database.driver<{ server_version: string }[]>`show server_version`;
    const profiling = profileFolder === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
    const server = await targetOf(child("server", [databaseUrl], profiling));
    const floor = await targetOf(child("floor", [databaseUrl], profiling));
    return await work({
      server,
      floor,
      load: child("load"),
      board: createClient({ baseUrl: server.url, retries: 0 }),
      as: (token) => createClient({ baseUrl: server.url, token, retries: 0 }),
      guarded: async () => {
        const empty = await emptyDatabase();
        return { ...(await targetOf(child("server", [empty.url, "authenticated"]))), database: empty.database };
      },
      database,
      profiling,
      postgresVersion: version?.server_version ?? "",
      settle: async () => {
        await database.driver.unsafe("vacuum analyze");
        await database.driver.unsafe("checkpoint");
      },
    });
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function targetOf(child: Child): Promise<Target> {
  const { url } = await child.ask<Expense>({});
  return { child, url, pid: child.pid };
}
