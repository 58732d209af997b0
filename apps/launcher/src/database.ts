import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseStartError, type EmbeddedDatabase, ensureDatabase } from "@roster/embedded-postgres";
import { CannotStartError, type Ending, type Part, type Running } from "./part.ts";
import { signal } from "./process-end.ts";

/** The embedded database as a part, and its address as soon as it has run. */
export interface DatabasePart extends Part {
  url(): string;
}

export function databasePart(home: string, log: (line: string) => void): DatabasePart {
  let url = "";
  const begin = async (): Promise<Running> => {
    const database = await ensureDatabase({ home, log }).catch((error: unknown) => {
      throw new CannotStartError(endingBy(error, url === ""));
    });
    url = database.url;
    return running(database);
  };
  return { name: "database", begin, url: () => url };
}

function running(database: EmbeddedDatabase): Running {
  const ended = database.exited.then((): Ending => ({ reason: "its log says why", refusal: null }));
  return {
    ready: Promise.resolve(),
    ended,
    stop: async (graceMs) => {
      // Without a checkpoint nothing is lost, the next start only takes longer.
      const timer = setTimeout(() => signal(database.pid, "SIGQUIT"), graceMs);
      await database.stop();
      clearTimeout(timer);
    },
    // Its own way to end at once: it takes its children and its shared memory along, which SIGKILL leaves behind.
    kill: () => signal(database.pid, "SIGQUIT"),
  };
}

/** What did not work at the first attempt will not work at the second. Later it is tried again. */
function endingBy(error: unknown, isFirst: boolean): Ending {
  const reason = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof DatabaseStartError ? ` ${error.remedy}` : "";
  return { reason: `${reason}${remedy}`, refusal: isFirst ? `${reason}${remedy}` : null };
}

/** Where the embedded database of a home keeps its data. */
export async function databasePlace(home: string): Promise<string> {
  try {
    const record = JSON.parse(await readFile(join(home, "database.json"), "utf8")) as { data?: unknown };
    if (typeof record.data === "string") return record.data;
  } catch {
    // Only for reading; whether the database can be used is not decided here.
  }
  return join(home, "database");
}
