import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@roster/testing";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { isMasterKeyReplaced, keysAt, keysOf, keysOfVersion, MasterKeyError, openMasterKey } from "./index.ts";
import { settleMasterKey } from "./master-key.ts";

const [first, second, third] = ["aa", "bb", "cc"].map((digits) => digits.repeat(32)) as [string, string, string];

describe("the master key of a database", () => {
  let place: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    place = await createTestDatabase(inject("clusterUrl"), inject("templateDatabase"));
    database = openDatabase({ url: place.url, poolSize: 2 });
    return async () => {
      await database.close();
      await place.drop();
    };
  });

  const open = (value: string, previousValue?: string) =>
    openMasterKey(
      { value, file: undefined, home: undefined, ...(previousValue && { previousValue }) },
      database.driver,
    );
  /** What follows once every value is sealed anew. */
  const settle = () => database.driver`update instance set is_resealing = false`;
  const refusal = async (opening: Promise<unknown>): Promise<string> => {
    const error = await opening.then(
      () => expect.fail("was not refused"),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(MasterKeyError);
    return (error as Error).message;
  };

  test("is the one that the first server brings, whichever of several that is, and no other afterwards", async () => {
    const opened = await Promise.allSettled([open(first), open(second), open(first), open(second)]);
    const good = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value.fingerprint] : []));
    expect(good).toHaveLength(2);
    expect(new Set(good).size).toBe(1);
    const other = good[0] === keysOf(Buffer.from(first, "hex")).fingerprint ? second : first;
    expect(await refusal(open(other))).toMatch(/^This database was set up with another master key/);
  });

  test("is replaced by a new one that comes with it; both are there until it is over, and after that the new one does", async () => {
    const before = await open(first);
    const keys = await open(second, first);
    expect(keys).toMatchObject({ version: 2, since: expect.any(Date), former: { version: 1, former: null } });
    expect(keys.former?.fingerprint).toBe(before.fingerprint);
    expect(await refusal(open(second))).toMatch(/some secrets are still sealed under the one before/);
    expect((await open(second, first)).fingerprint).toBe(keys.fingerprint);
    await settle();
    expect(await open(second)).toMatchObject({ version: 2, former: null });
    expect((await open(second, first)).former?.fingerprint).toBe(before.fingerprint);
    expect([
      await isMasterKeyReplaced(database.driver, before),
      await isMasterKeyReplaced(database.driver, keys),
    ]).toEqual([true, false]);
  });

  test("is replaced once by several servers that start at once", async () => {
    await open(first);
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(second, first)));
    expect(new Set(opened.map(({ version }) => version))).toEqual(new Set([2]));
    expect(new Set(opened.map(({ since }) => since?.getTime())).size).toBe(1);
  });

  test("is replaced as often as wanted, also by one that it had before", async () => {
    await open(first);
    for (const [version, value, previous] of [
      [2, second, first],
      [3, third, second],
      [4, second, third],
    ] as const) {
      expect(await open(value, previous)).toMatchObject({ version });
      await settle();
    }
    expect(await open(second)).toMatchObject({ version: 4 });
  });

  test("is not replaced with a wrong previous key, nor before the last time is over; a sentence says what to do", async () => {
    expect(await refusal(open(second, first))).toMatch(
      /has no master key yet.*Start without SERVICE_SECRETS_KEY_PREVIOUS/,
    );
    await open(first);
    expect(await refusal(open(second, third))).toMatch(
      /^Neither SERVICE_SECRETS_KEY nor SERVICE_SECRETS_KEY_PREVIOUS is the master key.*give the one it has now/,
    );
    expect(await refusal(open(first, third))).toMatch(/is not the key that was replaced by the present one/);
    await open(second, first);
    expect(await refusal(open(third, second))).toMatch(
      /is not finished. Start once with the keys that it was begun with/,
    );
    expect(await refusal(open(first))).toMatch(/holds the master key that is being replaced/);
    await settle();
    expect(await refusal(open(first))).toMatch(
      /holds the master key that was replaced.*this one in SERVICE_SECRETS_KEY_PREV/,
    );
    expect(await refusal(open(second, third))).toMatch(/Put that one there, or none/);
    expect(await refusal(open(third))).toMatch(/set up with another master key/);
    for (const unusable of ["", "short", "gg".repeat(32)]) {
      expect(await refusal(open(unusable))).toMatch(/SERVICE_SECRETS_KEY must be 32 bytes/);
      expect(
        await refusal(
          openMasterKey({ value: second, previousValue: unusable, file: undefined, home: undefined }, database.driver),
        ),
      ).toMatch(/SERVICE_SECRETS_KEY_PREVIOUS must be 32 bytes/);
    }
  });

  describe("in files", () => {
    let home: string;
    beforeEach(async () => {
      home = await mkdtemp(join(tmpdir(), "roster-keys-"));
    });
    afterEach(() => rm(home, { recursive: true }));

    const source = () => ({ value: undefined, file: undefined, home });
    const openHome = () => openMasterKey(source(), database.driver);
    const next = () => writeFile(join(home, "secrets.key.next"), `${randomBytes(32).toString("hex")}\n`);

    test("is made for a new database, for its user alone, and never again", async () => {
      const { fingerprint } = await openHome();
      expect((await stat(join(home, "secrets.key"))).mode & 0o777).toBe(0o600);
      expect((await openHome()).fingerprint).toBe(fingerprint);
      await rm(join(home, "secrets.key"));
      expect(await refusal(openHome())).toMatch(/secrets.key is missing. Put it back from your backup/);
    });

    test("of a home is replaced by the next one; afterwards the old one stays under its fingerprint, and is read", async () => {
      const { fingerprint } = await openHome();
      await next();
      const keys = await openHome();
      expect(keys).toMatchObject({ version: 2, former: { fingerprint } });
      // As often as a start is interrupted before the end.
      expect((await openHome()).fingerprint).toBe(keys.fingerprint);
      await settle();
      await settleMasterKey(source(), keys);
      expect((await readdir(home)).sort()).toEqual(["secrets.key", `secrets.key.${fingerprint.slice(0, 12)}`]);
      expect(await openHome()).toMatchObject({ fingerprint: keys.fingerprint, version: 2, former: { fingerprint } });
      await rm(join(home, `secrets.key.${fingerprint.slice(0, 12)}`));
      expect(await openHome()).toMatchObject({ fingerprint: keys.fingerprint, former: null });
    });

    test("of a home is in a file whatever is interrupted while the files are put in order", async () => {
      const { fingerprint } = await openHome();
      const old = await readFile(join(home, "secrets.key"), "utf8");
      await next();
      const keys = await openHome();
      await settle();
      // The old one has its second name, and the new one not yet its own.
      await writeFile(join(home, `secrets.key.${fingerprint.slice(0, 12)}`), old);
      const again = await openHome();
      expect(again).toMatchObject({ fingerprint: keys.fingerprint, former: { fingerprint } });
      await settleMasterKey(source(), again);
      await settleMasterKey(source(), again);
      expect((await openHome()).fingerprint).toBe(keys.fingerprint);
      expect((await readdir(home)).sort()).toEqual(["secrets.key", `secrets.key.${fingerprint.slice(0, 12)}`]);
    });

    test("of a home counts from the start where the database begins anew; what was to be the next one waits", async () => {
      await writeFile(join(home, "secrets.key"), first);
      await next();
      expect(await openHome()).toMatchObject({
        version: 1,
        fingerprint: keysOf(Buffer.from(first, "hex")).fingerprint,
      });
    });

    test("is read from the files that the settings name", async () => {
      const [file, previousFile] = [join(home, "new"), join(home, "old")];
      await writeFile(file, Buffer.from(second, "hex").toString("base64"));
      await writeFile(previousFile, `${first}\n`);
      const opened = () => openMasterKey({ value: undefined, file, previousFile, home: undefined }, database.driver);
      await open(first);
      expect(await opened()).toMatchObject({ version: 2 });
      await rm(previousFile);
      expect(await refusal(opened())).toMatch(/old is missing/);
    });
  });
});

describe("keys of several versions", () => {
  const since = new Date("2026-03-01T00:00:00Z");
  const former = keysOf(Buffer.alloc(32, 1));
  const keys = keysOf(Buffer.alloc(32, 2), { version: 2, since, former });

  test("are found by their version, and by when they were the present ones", () => {
    expect([1, 2, 3].map((version) => keysOfVersion(keys, version))).toEqual([former, keys, null]);
    expect(keysOfVersion(former, 2)).toBeNull();
    expect(keysAt(keys, new Date(since.getTime() - 1))).toBe(former);
    expect(keysAt(keys, since)).toBe(keys);
    expect(keysAt({ ...keys, former: null }, new Date(0))).toMatchObject({ version: 2 });
    expect(keysAt(former, new Date(0))).toBe(former);
  });
});
