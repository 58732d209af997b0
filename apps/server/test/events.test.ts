import { type Client, createClient, Refused } from "@roster/client";
import type { ActivityEntry } from "@roster/contract";
import { createTestDatabase, type TestDatabase } from "@roster/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openEvents } from "./event-source.ts";
import { type BuiltServer, buildServer, type ServerProcess } from "./server-process.ts";

describe("killing the server with -9 under those who follow the log", () => {
  let database: TestDatabase;
  let built: BuiltServer;
  let dying: ServerProcess;
  let living: ServerProcess;
  beforeAll(async () => {
    built = await buildServer();
    database = await createTestDatabase(inject("clusterUrl"), inject("templateDatabase"));
    dying = await built.start(database.url);
    living = await built.start(database.url);
  });
  afterAll(async () => {
    await Promise.all([dying.kill(), living.kill()]);
    await database.drop();
    await built.remove();
  });

  const acknowledged: string[] = [];

  /** Makes issues until there are enough, or nobody answers any more; notes those that were acknowledged. */
  async function write(board: Client, companyId: string, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      try {
        const { id } = await board.issues.create({ params: { companyId }, body: { title: `Issue ${n}` } });
        acknowledged.push(id);
      } catch (error) {
        // A connection that broke is what this test is about; a refusal is not.
        if (error instanceof Refused) throw error;
        return;
      }
    }
  }

  test("P7: who goes on at another server is told every entry once, in order, and every acknowledged write", async () => {
    const [board, other] = [dying, living].map(({ url }) => createClient({ baseUrl: url, retries: 0 })) as [
      Client,
      Client,
    ];
    const { id: companyId } = await board.companies.create({ body: { name: "Watched" } });
    const first = await openEvents({ url: dying.url, companyId, query: "?after=0" });
    const writing = Promise.all([write(board, companyId, 1000), write(other, companyId, 100)]);
    await first.until(25);
    await dying.kill();
    expect(await first.ended).toBe(false);
    const headers = { "last-event-id": first.lastId ?? "" };
    const second = await openEvents({ url: living.url, companyId, headers });
    await writing;
    const [newest] = (await other.activity.list({ params: { companyId }, query: { limit: 1 } })).items;
    await second.until((newest?.seq ?? 0) - first.entries.length);
    const told: ActivityEntry[] = [...first.entries, ...second.entries];
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
    const created = told.filter(({ action }) => action === "issue.created").map(({ entityId }) => entityId);
    expect(acknowledged.filter((id) => !created.includes(id))).toEqual([]);
    second.cut();
  });
});
