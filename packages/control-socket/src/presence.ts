import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type Identity, identityLine } from "./identity.ts";
import { checkPathLength } from "./path-length.ts";

/** A socket of this process alone, under a name that nobody ever uses again: whoever refuses there is dead. */
export interface Presence {
  /** Name of the socket in its folder. */
  readonly name: string;
  end(): Promise<void>;
}

/** Listens under a new name in the folder and tells everyone who connects the identity. */
export async function listenAlone(folder: string, identity: Identity): Promise<Presence> {
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const path = join(folder, name);
  checkPathLength(path);
  const line = identityLine(identity);
  const listeners = new Set<Socket>();
  const server = createServer((socket) => {
    listeners.add(socket);
    socket.once("close", () => listeners.delete(socket));
    socket.on("error", () => socket.destroy());
    // Reading on is how the other's leaving is noticed; nothing it says matters.
    socket.resume();
    socket.unref();
    socket.write(line);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  // The name is not guessable and nothing points at it yet, so nobody was let in by the umask before this.
  await chmod(path, 0o600);
  server.unref();
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of listeners) socket.destroy();
    });
  return { name, end };
}
