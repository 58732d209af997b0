import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  claimToken,
  createApp,
  createLog,
  keepClaimLink,
  openDatabase,
  openMasterKey,
  systemClock,
} from "@roster/server";
import { createTestDatabase } from "@roster/testing";
import { inject } from "vitest";

/** A server that somebody reads the documentation beside. */
export interface Running {
  readonly url: string;
  /** The home folder of who pastes. */
  readonly userHome: string;
  readonly database: ReturnType<typeof openDatabase>;
}

/** Who comes in without a credential. */
export type Mode = "local_trusted" | "authenticated";

/** Runs `work` with a real server on a database of its own that nobody has used before. */
export async function withServer<T>(work: (server: Running) => Promise<T>, mode: Mode = "local_trusted"): Promise<T> {
  const testDatabase = await createTestDatabase(inject("clusterUrl"), inject("templateDatabase"));
  const database = openDatabase({ url: testDatabase.url, poolSize: 3 });
  const source = { value: "11".repeat(32), file: undefined, home: undefined };
  const keys = await openMasterKey(source, database.driver);
  const log = createLog("silent");
  const app = createApp({ database, keys, clock: systemClock, log, version: "0.0.0-test", checkAnswers: true, mode });
  const userHome = await mkdtemp(join(tmpdir(), "roster-reader-"));
  try {
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    if (mode === "authenticated") await leaveClaimLink(userHome, `${url}/#claim=${await claimToken(database, keys)}`);
    return await work({ url, database, userHome });
  } finally {
    await rm(userHome, { recursive: true });
    await app.close();
    await database.close();
    await testDatabase.drop();
  }
}

/** Where the start leaves it, when no other home is set. */
async function leaveClaimLink(userHome: string, link: string): Promise<void> {
  await mkdir(join(userHome, ".roster"));
  await keepClaimLink(join(userHome, ".roster"), link);
}
