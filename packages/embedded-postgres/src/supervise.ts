import { setTimeout as pause } from "node:timers/promises";
import { askServer, type Session } from "./ask-server.ts";
import type { UpServer } from "./bring-up.ts";
import { signalIfThere } from "./clear-way.ts";
import { DatabaseStartError } from "./database-start-error.ts";
import { findProcess } from "./process-table.ts";
import type { Site } from "./site.ts";

/** A hold on a server's process, whether this process launched it or found it. */
export interface Supervised {
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/** A fast shutdown ends sessions and writes a checkpoint; after this long the server is ended without one. */
const fastShutdownSec = 30;

/** Takes charge of a server. Neither this nor `exited` keeps the calling process alive. */
export async function supervise(site: Site, { session, launched }: UpServer): Promise<Supervised> {
  if (launched) {
    await session.end();
    launched.unref();
    const exited = launched.ended.then(() => undefined);
    return { exited, stop: () => stopWith((signal) => launched.signal(signal), exited) };
  }
  const isAlive = await watchProcess(session.pid, site);
  session.unref();
  const exited = watchAdopted(site, session, isAlive);
  const signal = async (name: NodeJS.Signals) => {
    if (await isAlive()) signalIfThere(session.pid, name);
  };
  return { exited, stop: () => stopWith(signal, exited) };
}

async function stopWith(signal: (name: NodeJS.Signals) => void | Promise<void>, exited: Promise<void>): Promise<void> {
  await signal("SIGINT");
  // Without a checkpoint nothing is lost: the next start recovers from the write-ahead log. The timer also keeps this
  // process alive, which `exited` does not.
  const timer = setTimeout(() => void signal("SIGQUIT"), fastShutdownSec * 1000);
  await exited;
  clearTimeout(timer);
}

/** Returns a question: does the very process live that had this pid now? */
async function watchProcess(pid: number, { place }: Site): Promise<() => Promise<boolean>> {
  const found = await findProcess(pid);
  if (found === null) {
    throw new DatabaseStartError(
      `The server of ${place.data} has the pid ${pid}, which cannot be seen from here; it probably runs in another container.`,
      "Stop it there, or start in the same container.",
    );
  }
  return async () => (await findProcess(pid))?.startedAt === found.startedAt;
}

/** An open connection ends with its server. It can end before, when only its session is ended; then another is opened. */
async function watchAdopted({ place }: Site, first: Session, isAlive: () => Promise<boolean>): Promise<void> {
  let session = first;
  await session.closed;
  while (await isAlive()) {
    const answer = await askServer(place.sockets, place.passwordFile, 5);
    if (answer.kind === "server") {
      session = answer.session;
      session.unref();
      await session.closed;
    } else {
      // It is shutting down and lets nobody in whose connection could tell.
      await pause(50, undefined, { ref: false });
    }
  }
}
