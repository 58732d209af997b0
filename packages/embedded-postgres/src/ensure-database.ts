import { readFile } from "node:fs/promises";
import { urlOf } from "./ask-server.ts";
import { bringUp, findRunning, type UpServer } from "./bring-up.ts";
import { lookAtCluster, refuseLostCluster, refuseOtherMajor, setAside, stateOf } from "./cluster-state.ts";
import { DatabaseStartError } from "./database-start-error.ts";
import { makeCluster, removeLeftoverDrafts } from "./make-cluster.ts";
import { type PlaceRecord, writeRecord } from "./place-record.ts";
import { type DatabaseOptions, prepareSite } from "./prepare-site.ts";
import { ensureRuntime, removeOtherRuntimes } from "./runtime.ts";
import type { Site } from "./site.ts";
import { remedyFor } from "./start-remedy.ts";
import { inTurn } from "./start-turn.ts";
import { supervise } from "./supervise.ts";

/** Longer than any start takes, recovery included. */
const turnPatienceSec = 400;

/** A running database of one home. */
export interface EmbeddedDatabase {
  /**
   * Connects over the unix socket as the superuser `roster` to the database `roster`. postgres.js takes it as it is,
   * and so does libpq. It holds the password and stays the same over restarts.
   */
  readonly url: string;
  /** True when a living server on this home was found and taken over; its settings are those of its start. */
  readonly adopted: boolean;
  /** The postmaster. */
  readonly pid: number;
  /**
   * Resolves when the postmaster is gone, for whatever reason; never rejects. Like the handle as a whole it does not
   * keep the calling process alive.
   */
  readonly exited: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, sessions end. Resolves when the postmaster is gone. */
  stop(): Promise<void>;
}

/**
 * Sees to exactly one PostgreSQL server on a home: takes over a living one, else starts one, after making the data
 * folder on first use. Safe to call from several processes at once; all get the same server. The server runs in a
 * session of its own and outlives the caller. `SERVICE_HOME/database.json` says where its data, log and sockets are.
 *
 * Throws `DatabaseStartError` and nothing else. No folder that holds a finished database is ever deleted or replaced.
 */
export async function ensureDatabase(options: DatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    const { site, record, uid } = await prepareSite(options);
    const server = (await findRunning(site)) ?? (await startInTurn(site, record));
    return await takeCharge(site, server, uid);
  } catch (error) {
    throw asStartError(error);
  }
}

/** Another process may have been quicker by the time it is our turn. */
async function startInTurn(site: Site, record: PlaceRecord | null): Promise<UpServer> {
  const name = `roster-database-start-${process.getuid?.()}-${site.place.key}`;
  return inTurn(name, turnPatienceSec, async () => (await findRunning(site)) ?? (await start(site, record)));
}

async function start(site: Site, record: PlaceRecord | null): Promise<UpServer> {
  const { place, installed, account, log } = site;
  const traces = await lookAtCluster(place);
  refuseOtherMajor(traces, installed, place);
  refuseLostCluster(stateOf(traces), record, place);
  if (stateOf(traces) === "half-made") {
    const aside = await setAside(place, new Date());
    if (aside) log(`The data folder was half-made and has been put aside as ${aside}.`);
  }
  await removeLeftoverDrafts(place, new Date());
  const runtime = await ensureRuntime(place.folder, installed);
  if (stateOf(await lookAtCluster(place)) === "none") {
    log(`Making a new database in ${place.cluster}.`);
    await makeCluster(place, runtime, account);
  }
  const server = await bringUp(site, runtime);
  if (server.launched) await removeOtherRuntimes(place.folder, runtime);
  return server;
}

async function takeCharge(site: Site, server: UpServer, uid: number): Promise<EmbeddedDatabase> {
  const { place, account, log } = site;
  const { session, launched } = server;
  try {
    await session.makeProductDatabase();
    await writeRecord(place, account.name, uid);
    const url = urlOf(place.sockets, await readFile(place.passwordFile, "utf8"));
    const { exited, stop } = await supervise(site, server);
    log(`The database server ${launched ? "has started" : "was running already"} (pid ${session.pid}).`);
    return { url, adopted: launched === null, pid: session.pid, exited, stop };
  } catch (error) {
    await session.end();
    launched?.signal("SIGINT");
    await launched?.ended;
    throw error;
  }
}

function asStartError(error: unknown): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new DatabaseStartError(`The database could not be started: ${words}`, remedyFor(words), error);
}
