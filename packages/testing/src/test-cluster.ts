import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDatabase } from "@roster/embedded-postgres";

/** A real PostgreSQL of our own for one test run, with the durability settings of production. */
export interface TestCluster {
  /** Address of its first database. */
  readonly url: string;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, at the same address. */
  startAgain(): Promise<void>;
  /** Stops it and removes everything it left. */
  stop(): Promise<void>;
}

/** Starts an empty cluster in a temporary home. */
export async function startTestCluster(): Promise<TestCluster> {
  const home = await mkdtemp(join(tmpdir(), "roster-test-"));
  const start = () => ensureDatabase({ home, settings: { max_connections: "300" } });
  let database = await start();
  return {
    url: database.url,
    kill: () => {
      process.kill(database.pid, "SIGKILL");
      return database.exited;
    },
    startAgain: async () => {
      database = await start();
    },
    stop: async () => {
      await database.stop();
      const record = await readFile(join(home, "database.json"), "utf8");
      const { folder, sockets } = JSON.parse(record) as { folder: string; sockets: string };
      await Promise.all([home, folder, sockets].map((place) => rm(place, { recursive: true, force: true })));
    },
  };
}
