import { createConnection, createServer, type Server } from "node:net";

/**
 * Runs work while no other process of this machine does the same under this name. PostgreSQL's own lock lets no two
 * servers run on a folder, but of two that start at once after a crash the loser can take the winner's lock file away,
 * and the winner then ends itself within a minute.
 *
 * The turn is a socket without a file (Linux only): the kernel gives it back when its holder dies, however it dies.
 * Where there are none, or when the holder is at it for longer than `patienceSec`, the work is done without.
 */
export async function inTurn<T>(name: string, patienceSec: number, work: () => Promise<T>): Promise<T> {
  const turn = process.platform === "linux" ? await takeTurn(`\0${name}`, patienceSec) : null;
  try {
    return await work();
  } finally {
    turn?.giveBack();
  }
}

interface Turn {
  giveBack(): void;
}

async function takeTurn(address: string, patienceSec: number): Promise<Turn | null> {
  const giveUpAt = performance.now() + patienceSec * 1000;
  while (performance.now() < giveUpAt) {
    const outcome = await tryToListen(address);
    if (outcome !== "taken") return outcome;
    await waitForHolder(address, giveUpAt - performance.now());
  }
  return null;
}

/** Null where such sockets do not exist or are not allowed. */
function tryToListen(address: string): Promise<Turn | "taken" | null> {
  return new Promise((resolve) => {
    const waiting = new Set<{ destroy(): void }>();
    const server: Server = createServer((socket) => {
      waiting.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => waiting.delete(socket));
    });
    const giveBack = () => {
      server.close();
      for (const socket of waiting) socket.destroy();
    };
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRINUSE" ? "taken" : null));
    server.listen(address, () => resolve({ giveBack }));
  });
}

/** Its connection ends with the turn. */
function waitForHolder(address: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    // The close comes after an error too, which only says that the holder was gone already.
    socket
      .on("error", () => socket.destroy())
      .on("close", () => {
        clearTimeout(timer);
        resolve();
      });
    socket.resume();
  });
}
