import { once } from "node:events";
import { createServer } from "node:net";

// Below what Linux and macOS give to outgoing connections (from 32768 and 49152): no connection takes a port meanwhile.
const lowest = 20_000;
const slots = 128;
const perSlot = 96;
const given = new Set();

/**
 * A port for a program that is about to listen on it. Never given twice by one process; processes that live at the same
 * time look in slots of their own, by their pids.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  const first = lowest + (process.pid % slots) * perSlot;
  const start = Math.floor(Math.random() * perSlot);
  for (let turn = 0; turn < perSlot; turn += 1) {
    const port = first + ((start + turn) % perSlot);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${first} and ${first + perSlot - 1} is free.`);
}

async function isFree(port) {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch {
    return false;
  }
}
