import { createClient } from "@roster/client";
import { createTestDatabase, type TestDatabase } from "@roster/testing";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { keysOf, unseal } from "../src/platform/secrets/index.ts";
import { type BegunServer, type BuiltServer, buildServer } from "./server-process.ts";
import { testKey } from "./test-server.ts";

const [second, third] = ["bb", "cc"].map((digits) => digits.repeat(32)) as [string, string];
/** Three batches of a rotation. */
const secrets = 250;

describe("P11: a rotation of the master key, by servers that are processes", () => {
  let built: BuiltServer;
  let place: TestDatabase;
  let sql: postgres.Sql;
  let begun: BegunServer[];
  beforeAll(async () => {
    built = await buildServer();
  }, 120_000);
  afterAll(() => built.remove());
  beforeEach(async () => {
    place = await createTestDatabase(inject("clusterUrl"), inject("templateDatabase"));
    sql = postgres(place.url, { max: 3, onnotice: () => undefined });
    begun = [];
  });
  afterEach(async () => {
    await Promise.all(begun.map((server) => server.kill()));
    await sql.end();
    await place.drop();
  });

  const begin = (SERVICE_SECRETS_KEY: string, SERVICE_SECRETS_KEY_PREVIOUS = ""): BegunServer => {
    const server = built.begin(place.url, { SERVICE_SECRETS_KEY, SERVICE_SECRETS_KEY_PREVIOUS });
    begun.push(server);
    return server;
  };
  const secretValue = (n: number): string => `the value of secret ${n}`;
  const store = async (server: BegunServer): Promise<void> => {
    const board = createClient({ baseUrl: await server.url });
    const { id: companyId } = await board.companies.create({ body: { name: "Acme" } });
    const numbers = Array.from({ length: secrets }, (_, n) => n);
    const create = (n: number) =>
      board.secrets.create({ params: { companyId }, body: { name: `secret-${n}`, value: secretValue(n) } });
    await Promise.all(numbers.map(create));
  };
  /** How many values are sealed under each version of the key. */
  const versions = async (): Promise<Record<number, number>> => {
    const rows = await sql<{ version: number; values: number }[]>`
      select key_version as version, count(*)::int as values from secret_versions group by 1 order by 1`;
    return Object.fromEntries(rows.map(({ version, values }) => [version, values]));
  };
  /** The values that this key opens. */
  const openedBy = async (key: string): Promise<string[]> => {
    const sealingKey = keysOf(Buffer.from(key, "hex")).derive("secrets");
    const rows = await sql<{ companyId: string; name: string; sealed: Buffer }[]>`
      select v.company_id as "companyId", s.name, v.sealed from secret_versions v
        join secrets s on s.company_id = v.company_id and s.id = v.secret_id`;
    return rows.flatMap(({ companyId, name, sealed }) => {
      try {
        return [unseal(sealingKey, sealed, JSON.stringify([companyId, name, 1]))];
      } catch {
        return [];
      }
    });
  };
  /** Keeps the rotation from its last batch until it is let go. */
  const holdLast = async (): Promise<() => Promise<void>> => {
    const connection = await sql.reserve();
    await connection`begin`;
    await connection`
      select from secret_versions order by company_id desc, secret_id desc, number desc limit 1 for update`;
    return async () => {
      await connection`rollback`;
      connection.release();
    };
  };

  test("that is killed in the middle is gone on with: until then both keys are needed, and together they open every value", async () => {
    const before = begin(testKey);
    await store(before);
    await before.kill();
    const letGo = await holdLast();
    const killed = begin(second, testKey);
    await expect.poll(versions, { timeout: 60_000 }).toEqual({ 1: 50, 2: 200 });
    await killed.kill();
    await letGo();
    expect(await versions()).toEqual({ 1: 50, 2: 200 });
    const opened = [...(await openedBy(testKey)), ...(await openedBy(second))];
    const all = Array.from({ length: secrets }, (_, n) => secretValue(n)).sort();
    expect(opened.sort()).toEqual(all);

    for (const [settings, sentence] of [
      [[testKey], /^SERVICE_SECRETS_KEY holds the master key that is being replaced in this database\. .*\.\n$/],
      [[second], /^The master key of this database is being replaced, and some .* SERVICE_SECRETS_KEY_PREVIOUS\.\n$/],
      [[third, testKey], /^Neither SERVICE_SECRETS_KEY nor SERVICE_SECRETS_KEY_PREVIOUS is the master key .*\.\n$/],
      [[second, third], /^SERVICE_SECRETS_KEY_PREVIOUS is not the key that was replaced .*\.\n$/],
    ] as const) {
      expect(await begin(...(settings as [string])).ended).toEqual({ code: 78, said: expect.stringMatching(sentence) });
    }

    await begin(second, testKey).url;
    expect(await versions()).toEqual({ 2: secrets });
    expect((await openedBy(second)).sort()).toEqual(all);
    await begin(second).url;
  }, 120_000);

  test("is done once by two that start at once, and ends the one that goes on with the old key", async () => {
    const old = begin(testKey);
    await store(old);
    const both = [begin(second, testKey), begin(second, testKey)];
    const [one = ""] = await Promise.all(both.map(({ url }) => url));
    expect(await versions()).toEqual({ 2: secrets });
    const { items } = await createClient({ baseUrl: one }).activity.listInstance({
      query: { action: "master_key.rotated" },
    });
    expect(items).toHaveLength(1);
    expect(await old.ended).toEqual({
      code: 78,
      said: "The master key of this database was replaced by another server. Start with the new key.\n",
    });
  }, 120_000);
});
