import { createHash } from "node:crypto";
import { join } from "node:path";

/** Where everything that belongs to the database of one home lies. All paths are absolute. */
export interface Place {
  readonly home: string;
  /** 12 hexadecimal digits that stand for the home's real path. */
  readonly key: string;
  /** Data, binaries and log; 0700 and owned by the account that runs the server. */
  readonly folder: string;
  /** Data folder and password together, so that both come into being by one rename. */
  readonly cluster: string;
  readonly data: string;
  readonly passwordFile: string;
  readonly log: string;
  /** `SERVICE_HOME/database.json`. */
  readonly record: string;
  /** The folder in `/tmp`, owned by whoever starts the server. */
  readonly socketsParent: string;
  /** The folder of the sockets themselves, owned by the account that runs the server. */
  readonly sockets: string;
}

/**
 * Computes the places of a home. `home` is its real path, `uid` the one that starts the server.
 * As root everything lies outside of the home, because the account that runs the server may not be able to enter it.
 */
export function placeOf(home: string, uid: number): Place {
  const key = createHash("sha256").update(home).digest("hex").slice(0, 12);
  const asRoot = uid === 0;
  const folder = asRoot ? `/var/lib/roster/${key}` : join(home, "database");
  const cluster = join(folder, "cluster");
  // Not TMPDIR: a socket's path may have 107 bytes at most, and two starters have to find the same folder.
  const socketsParent = `/tmp/roster-${uid}-${key}`;
  return {
    home,
    key,
    folder,
    cluster,
    data: join(cluster, "data"),
    passwordFile: join(cluster, "password"),
    log: join(folder, "server.log"),
    record: join(home, "database.json"),
    socketsParent,
    sockets: asRoot ? join(socketsParent, "server") : socketsParent,
  };
}
