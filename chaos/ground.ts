import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
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
  /** Processes of the database that serve the servers. */
  backends(): Promise<number[]>;
  /** Lets every lease end in the past. */
  expireLeases(): Promise<void>;
  /** How many leases have run out and were not judged yet. */
  expiredLeases(): Promise<number>;
  /** Copies what the parts have said into a folder. */
  keepLogs(into: string): Promise<void>;
  close(): Promise<void>;
}

const pair = [1, 2];

/** Builds the tree at `root` and starts everything. */
export async function openGround(root: string): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), "roster-chaos-"));
  const programs = await mkdtemp(join(await cacheFolder(root), "chaos-"));
  const build = [join(root, "scripts", "build.mjs"), join(programs, "dist"), "--without-board"];
  await promisify(execFile)(process.execPath, build);
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
    ...grips(sql),
    keepLogs: async (into) => {
      await mkdir(into, { recursive: true });
      const names = [...servers, ...runners].map((part) => logName(part.name));
      await Promise.all(names.map((name) => cp(join(folder, name), join(into, name))));
    },
    close: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      await Promise.all(servers.map((server) => server.stop()));
      for (const line of lines) line.close();
      await sql.end();
      await database.drop();
      await cluster.stop();
      await rm(programs, { recursive: true });
      await rm(folder, { recursive: true });
    },
  };
}

/** How a test takes hold of what is in the database. */
const grips = (sql: postgres.Sql): Pick<Ground, "cutDatabase" | "backends" | "expireLeases" | "expiredLeases"> => ({
  cutDatabase: () =>
    answered("cutting all connections", async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${ofServers(sql)}`;
    }),
  backends: () =>
    answered("the backends", async () => {
      const rows = await sql<{ pid: number }[]>`select pid from pg_stat_activity where ${ofServers(sql)} order by pid`;
      return rows.map(({ pid }) => pid);
    }),
  expireLeases: () =>
    answered("the end of all leases", async () => {
      await sql`update leases set lease_until = clock_timestamp() - interval '1 second'`;
    }),
  expiredLeases: () =>
    answered("leases", async () => {
      const rows = await sql`select from leases where lease_until < clock_timestamp()`;
      return rows.length;
    }),
});

const ofServers = (sql: postgres.Sql) =>
  sql`datname = current_database() and pid <> pg_backend_pid() and application_name like 'roster%'`;

/** Asks the database until it answers: it may be recovering just now. */
function answered<T>(what: string, ask: () => Promise<T>): Promise<T> {
  return eventually(what, () =>
    ask().then(
      (answer) => ({ answer }),
      () => null,
    ),
  ).then(({ answer }) => answer);
}

const logName = (part: string): string => `${part.replace(" ", "-")}.log`;

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
    logFile: join(place.folder, logName(`server ${place.n}`)),
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
    logFile: join(place.folder, logName(`runner ${place.n}`)),
    env: { ...environment(place), SERVICE_RUNNER_URL: url, SERVICE_RUNNER_CAPACITY: "6" },
  });
}
