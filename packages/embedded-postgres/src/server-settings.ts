import { DatabaseStartError } from "./database-start-error.ts";
import type { Place } from "./place.ts";

/** The name by which the server's processes can be told from those of other databases. */
export function clusterNameOf(place: Place): string {
  return `roster-${place.key}`;
}

/** What a caller may set otherwise. Idle costs little; a control plane asks many short questions and few large ones. */
const usual: Record<string, string> = {
  max_connections: "100",
  shared_buffers: "64MB",
  jit: "off",
  // Worker processes for reading would be three more that idle.
  io_method: "sync",
  max_logical_replication_workers: "0",
  // Parallel queries need /dev/shm, of which a container has 64 MB.
  max_parallel_workers_per_gather: "0",
  timezone: "UTC",
  log_timezone: "UTC",
  // Messages of single statements can hold values of rows, and secrets with them; they reach the client anyway.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/**
 * All settings of the server, `extra` before the usual ones. Durability and privacy cannot be set otherwise: naming
 * one of those is refused, since a caller who names it expects that it takes effect.
 */
export function settingsOf(place: Place, extra: Record<string, string>): Record<string, string> {
  const fixed: Record<string, string> = {
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    listen_addresses: "",
    // The second one, in the data folder, answers where that folder is shared and /tmp is not: between containers.
    unix_socket_directories: `${place.sockets}, .`,
    cluster_name: clusterNameOf(place),
    logging_collector: "off",
    log_destination: "stderr",
    log_line_prefix: "%m [%p] ",
  };
  const refused = Object.keys(extra).find((name) => Object.hasOwn(fixed, name.toLowerCase()));
  if (refused !== undefined) {
    throw new DatabaseStartError(
      `The database's setting '${refused}' cannot be changed: durability and privacy rest on it.`,
      "Leave it out and start again.",
    );
  }
  return { ...usual, ...extra, ...fixed };
}
