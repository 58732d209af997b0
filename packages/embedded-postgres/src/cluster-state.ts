import { access, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseStartError } from "./database-start-error.ts";
import type { InstalledBinaries } from "./installed-binaries.ts";
import type { Place } from "./place.ts";
import type { PlaceRecord } from "./place-record.ts";

/** What is seen of a data folder from outside. */
export interface ClusterTraces {
  /** The folder is there, whatever it holds. */
  readonly exists: boolean;
  /** Content of PG_VERSION; null when it is missing or empty. */
  readonly major: string | null;
  /** `global/pg_control` is there. */
  readonly hasControl: boolean;
}

export type ClusterState = "none" | "half-made" | "whole";

/** A folder without its version or its control file cannot be opened by any server. */
export function stateOf(traces: ClusterTraces): ClusterState {
  if (!traces.exists) return "none";
  return traces.major !== null && traces.hasControl ? "whole" : "half-made";
}

/** Looks at the data folder of a place. */
export async function lookAtCluster(place: Place): Promise<ClusterTraces> {
  const version = await readFile(join(place.data, "PG_VERSION"), "utf8").catch(nullWhenMissing);
  return {
    exists: await isThere(place.cluster),
    major: version?.trim() || null,
    hasControl: await isThere(join(place.data, "global", "pg_control")),
  };
}

/** Refuses a data folder that another major version made: only its own can read it. */
export function refuseOtherMajor(traces: ClusterTraces, installed: InstalledBinaries, place: Place): void {
  if (stateOf(traces) !== "whole" || traces.major === installed.major) return;
  throw new DatabaseStartError(
    `The data in ${place.data} were made by PostgreSQL ${traces.major}, and PostgreSQL ${installed.major} is installed, which cannot open them.`,
    `Start the release of Roster that made them; ` +
      `to begin with an empty database instead, move ${place.cluster} away and remove ${place.record}.`,
  );
}

/** Refuses to make an empty database where a finished one used to be. */
export function refuseLostCluster(state: ClusterState, record: PlaceRecord | null, place: Place): void {
  if (record === null || state === "whole") return;
  const wrong = state === "none" ? "is gone" : "is damaged: it has no PG_VERSION or no global/pg_control";
  throw new DatabaseStartError(
    `The database of ${place.home} in ${place.cluster} ${wrong}.`,
    `Put it back from a backup${place.folder.startsWith(place.home) ? "" : " (in a container, keep /var/lib/roster on a volume)"}; ` +
      `to begin with an empty database instead, ${state === "none" ? "" : `move ${place.cluster} away and `}remove ${place.record}.`,
  );
}

/** Moves a half-made folder out of the way, under a name that says what it is. Returns where it is now. */
export async function setAside(place: Place, now: Date): Promise<string | null> {
  const aside = `${place.cluster}-half-made-${now.toISOString().replaceAll(":", "-")}`;
  await rename(place.cluster, aside).catch(nullWhenMissing);
  const moved = await lookAtCluster({ ...place, cluster: aside, data: join(aside, "data") });
  if (stateOf(moved) !== "whole") return moved.exists ? aside : null;
  // Another process finished a new one between the look and the move.
  await rename(aside, place.cluster);
  return null;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => nullWhenMissing(error) ?? false,
  );
}

function nullWhenMissing(error: unknown): null {
  if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
  throw error;
}
