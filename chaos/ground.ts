import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase, type Switchboard, startSwitchboard, startTestCluster } from "@roster/testing";
import postgres from "postgres";
import { freePort } from "../scripts/free-port.mjs";
import { eventually } from "./eventually.ts";
import { Part } from "./part.ts";

/** Two servers and two runners on one database; each runner calls one server, over a line that can be cut. */
export interface Ground {
  readonly urls: readonly string[];
  readonly servers: readonly Part[];
  readonly runners: readonly Part[];
  readonly lines: readonly Switchboard[];
  readonly sql: postgres.Sql;
  /** A folder for what the agents run. */
  readonly folder: string;
  /** Cuts every connection of the servers to the database. */
  cutDatabase(): Promise<void>;
  close(): Promise<void>;
}

const pair = [1, 2];

/** Builds the tree at `root` and starts everything. */
export async function openGround(root: string): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), "roster-chaos-"));
  const programs = await mkdtemp(join(await cacheFolder(root), "chaos-"));
  await promisify(execFile)(process.execPath, [join(root, "scripts", "build.mjs"), join(programs, "dist")]);
  const cluster = await startTestCluster();
  const database = await createTestDatabase(cluster.url);
  const sql = postgres(database.url, { max: 2, onnotice: () => undefined });
  const servers: Part[] = [];
  const runners: Part[] = [];
  const lines: Switchboard[] = [];
  const urls: string[] = [];
  for (const n of pair) {
    const place = { folder, programs: join(programs, "dist"), n };
    const { server, url } = await startServer(place, database.url);
    const line = await startSwitchboard(url);
    const runner = runnerPart(place, line.url);
    runner.start();
    servers.push(server);
    runners.push(runner);
    lines.push(line);
    urls.push(url);
  }
  return {
    urls,
    servers,
    runners,
    lines,
    sql,
    folder,
    cutDatabase: async () => {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name like 'roster%'`;
    },
    close: async () => {
      for (const runner of runners) await runner.stop();
      for (const server of servers) await server.stop();
      for (const line of lines) line.close();
      await sql.end();
      await database.drop();
      await cluster.stop();
      await rm(programs, { recursive: true });
      await rm(folder, { recursive: true });
    },
  };
}

async function cacheFolder(root: string): Promise<string> {
  const cache = join(root, ".cache");
  await mkdir(cache, { recursive: true });
  return cache;
}

interface Place {
  readonly folder: string;
  readonly programs: string;
  readonly n: number;
}

const homeOf = ({ folder, n }: Place): string => join(folder, `home-${n}`);
const environment = (place: Place) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: homeOf(place),
  SERVICE_HOME: homeOf(place),
});

async function startServer(place: Place, databaseUrl: string): Promise<{ server: Part; url: string }> {
  const port = await freePort();
  await mkdir(homeOf(place), { recursive: true });
  const server = new Part({
    name: `server ${place.n}`,
    program: join(place.programs, "server.js"),
    logFile: join(place.folder, `server-${place.n}.log`),
    env: {
      ...environment(place),
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SERVICE_SECRETS_KEY: "11".repeat(32),
    },
  });
  server.start();
  const url = `http://localhost:${port}`;
  await eventually(`server ${place.n}`, async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    return answer?.ok === true ? true : null;
  });
  return { server, url };
}

function runnerPart(place: Place, url: string): Part {
  return new Part({
    name: `runner ${place.n}`,
    program: join(place.programs, "runner.js"),
    logFile: join(place.folder, `runner-${place.n}.log`),
    env: { ...environment(place), SERVICE_RUNNER_URL: url, SERVICE_RUNNER_CAPACITY: "6" },
  });
}
