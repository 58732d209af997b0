import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DatabaseStartError, type EmbeddedDatabase, ensureDatabase } from "../src/index.ts";
import { findProcess } from "../src/process-table.ts";
import { isRoot, makeTestHome, ownerAndMode, type TestHome, withConnection } from "./fixture/home.ts";

let home: TestHome;
beforeAll(async () => {
  // Only its owner, which may be root, can enter the folder that holds the home.
  home = await makeTestHome({ name: "a home, with spaces & 'quotes'", parentMode: 0o700 });
});
afterAll(() => home.remove());

describe("a database in a folder that only its owner can enter, with spaces in its path", () => {
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    database = await home.ensure({ settings: { max_connections: "37" } });
  });

  it("answers postgres.js at its url, keeps durability on and listens on no network", async () => {
    const [seen] = await withConnection(
      database.url,
      (sql) => sql`
        select current_database() as name, current_setting('fsync') as fsync,
          current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as sync,
          current_setting('listen_addresses') as addresses, current_setting('max_connections') as connections,
          current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
          (select datlocprovider::text || ' ' || datlocale from pg_database where datname = 'roster') as locale`,
    );
    expect(seen).toEqual({
      name: "roster",
      fsync: "on",
      pages: "on",
      sync: "on",
      addresses: "",
      connections: "37",
      encoding: "UTF8",
      checksums: "on",
      locale: "b C.UTF-8",
    });
    expect(database.adopted).toBe(false);
  });

  it("lets nobody else near its data, its password and its sockets", async () => {
    const { place } = home;
    const starter = process.getuid?.();
    const account = (await findProcess(database.pid))?.uid;
    expect(account === starter).toBe(!isRoot);
    expect(await ownerAndMode(place.folder)).toBe(`${account} 700`);
    expect(await ownerAndMode(place.data)).toBe(`${account} 700`);
    expect(await ownerAndMode(place.passwordFile)).toBe(`${account} 600`);
    expect(await ownerAndMode(place.sockets)).toBe(`${account} 700`);
    expect(await ownerAndMode(place.socketsParent)).toBe(`${starter} ${isRoot ? "711" : "700"}`);
    expect((await stat(place.log)).mode & 0o077).toBe(0);
  });

  it.runIf(isRoot)("has none of root's groups", async () => {
    expect(await readFile(`/proc/${database.pid}/status`, "utf8")).toMatch(/^Groups:\s*$/m);
  });

  it("is recorded in the home", async () => {
    expect(JSON.parse(await readFile(join(home.path, "database.json"), "utf8"))).toMatchObject({
      home: home.path,
      folder: home.place.folder,
      data: home.place.data,
      sockets: home.place.socketsParent,
    });
  });
});

describe("a database that is stopped", () => {
  it("is gone when stop resolves, and comes back with its rows", async () => {
    const first = await home.ensure();
    await withConnection(first.url, (sql) => sql`create table kept as select 42 as answer`);
    await first.stop();
    await first.exited;
    expect(await findProcess(first.pid)).toBeNull();
    expect(await home.processes()).toEqual([]);
    const second = await home.ensure();
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(await withConnection(second.url, (sql) => sql`select answer from kept`)).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  it("does not wait for sessions that are in the middle of something", async () => {
    const database = await home.ensure();
    await withConnection(database.url, async (busy) => {
      const sleep = busy`select pg_sleep(600)`.catch((error: Error & { code?: string }) => error.code);
      await withConnection(database.url, (sql) =>
        vi.waitFor(async () => {
          const sleepers = await sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`;
          expect(sleepers).toHaveLength(1);
        }),
      );
      await database.stop();
      // admin_shutdown, if it still gets through
      expect(["57P01", "CONNECTION_CLOSED"]).toContain(await sleep);
    });
  });
});

describe("a start that cannot succeed", () => {
  async function failureOf(work: Promise<EmbeddedDatabase>): Promise<DatabaseStartError> {
    const outcome = await work.catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(DatabaseStartError);
    return outcome as DatabaseStartError;
  }

  it("is refused when it would give up durability", async () => {
    const { message } = await failureOf(home.ensure({ settings: { FSYNC: "off" } }));
    expect(message).toContain("The database's setting 'FSYNC' cannot be changed");
  });

  it("says why in the server's own words, and what to do", async () => {
    const { message, remedy } = await failureOf(home.ensure({ settings: { shared_buffers: "plenty" } }));
    expect(message).toContain('invalid value for parameter "shared_buffers": "plenty"');
    expect(remedy).toContain("Correct the setting");
    expect(await home.processes()).toEqual([]);
  });

  it("names a home that cannot be made", async () => {
    const { message } = await failureOf(ensureDatabase({ home: "/proc/none/home" }));
    expect(message).toContain("mkdir '/proc/none");
  });
});
