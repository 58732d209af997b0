import { createTestDatabase, type TestDatabase } from "@roster/testing";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { type Database, isAway, isBusy, openDatabase } from "./index.ts";

const most = 3;

describe("connections to the database", () => {
  let place: TestDatabase;
  let database: Database;
  const opened: Database[] = [];
  beforeAll(async () => {
    place = await createTestDatabase(inject("clusterUrl"));
    database = open();
    await database.autocommit.execute(sql`create table notes (id serial primary key, text text not null)`);
  });
  afterEach(() => Promise.all(opened.splice(1).map((other) => other.close())));
  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  function open(limits: { poolSize?: number; patienceMs?: number } = {}): Database {
    const another = openDatabase({ url: place.url, poolSize: most, ...limits });
    opened.push(another);
    return another;
  }

  const pidIn = async (db: Pick<Database["reader"], "execute">): Promise<number> => {
    const [row] = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    return row?.pid ?? 0;
  };
  const end = (pid: number) => database.driver`select pg_terminate_backend(${pid}, 10000)`;
  const notes = async (): Promise<string[]> =>
    (await database.reader.execute<{ text: string }>(sql`select text from notes order by id`)).map(({ text }) => text);

  /** Transactions that have begun and wait for a word. */
  async function hold(held: Database, count: number): Promise<() => Promise<void>> {
    let release: () => void = () => undefined;
    const word = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun = Array.from({ length: count }, deferred);
    const done = begun.map(({ resolve }) =>
      held.transaction(async (writer) => {
        await pidIn(writer);
        resolve();
        await word;
      }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    return async () => {
      release();
      await Promise.all(done);
    };
  }

  test("there are never more than were allowed", async () => {
    const pids = new Set<number>();
    const release = await hold(database, most);
    const later = Array.from({ length: 20 }, () =>
      database.transaction(async (writer) => void pids.add(await pidIn(writer))),
    );
    expect(database.use().write).toMatchObject({ open: most, lent: most, waiting: 20 });
    await release();
    await Promise.all(later);
    expect(pids.size).toBeLessThanOrEqual(most);
    expect(database.use().write).toMatchObject({ open: most, lent: 0, waiting: 0, refused: 0 });
  });

  test("who comes first is served first", async () => {
    const narrow = open({ poolSize: 1 });
    const order: number[] = [];
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    await Promise.all(numbers.map((n) => narrow.transaction(async () => void order.push(n))));
    expect(order).toEqual(numbers);
  });

  test("who waits in vain is told so after a while, and nothing of it happens later", async () => {
    const hasty = open({ patienceMs: 50 });
    const release = await hold(hasty, most);
    const fault = await hasty.transaction(() => expect.fail("it was not to begin")).catch((error: unknown) => error);
    expect([isBusy(fault), isAway(fault)]).toEqual([true, false]);
    expect(hasty.use().write).toMatchObject({ lent: most, waiting: 0, refused: 1 });
    await release();
    expect(await hasty.transaction(pidIn)).toBeGreaterThan(0);
  });

  test("where too many wait already, nobody begins to", async () => {
    const release = await hold(database, most);
    const waiting = Array.from({ length: most * 100 }, () => database.transaction(async () => "served"));
    await expect(database.transaction(async () => "served")).rejects.toSatisfy(isBusy);
    await release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["served"]));
  });

  test("a lock is waited for as long as a connection", async () => {
    const hasty = open({ patienceMs: 50 });
    await database.transaction(async (writer) => {
      await writer.execute(sql`lock table notes in exclusive mode`);
      const fault = await hasty
        .transaction((other) => other.execute(sql`lock table notes in exclusive mode`))
        .catch((error: unknown) => error);
      expect(isBusy(fault)).toBe(true);
    });
  });

  test("a connection that is lost between two statements fails its transaction at once, and whole", async () => {
    const begun = deferred();
    const ended = deferred();
    const lost = database
      .transaction(async (writer) => {
        await writer.execute(sql`insert into notes (text) values ('never')`);
        const pid = await pidIn(writer);
        begun.resolve();
        await end(pid);
        await ended.promise;
        await writer.execute(sql`insert into notes (text) values ('nor this')`);
      })
      .catch((error: unknown) => error);
    await begun.promise;
    expect(await lost).toSatisfy(isAway);
    ended.resolve();
    await database.transaction((writer) => writer.execute(sql`insert into notes (text) values ('good')`));
    expect(await notes()).toEqual(["good"]);
    expect(database.use().write).toMatchObject({ lent: 0, waiting: 0 });
  });

  test("a connection that is lost in the middle of statements fails them all, and others take its place", async () => {
    const survivors = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        database
          .transaction(async (writer) => {
            const pid = await pidIn(writer);
            const slow = [1, 2, 3].map(() => writer.execute(sql`select pg_sleep(0.01)`));
            if (n % 3 === 0) slow.push(end(pid) as never);
            await Promise.all(slow);
            return n;
          })
          .catch((error: unknown) => (isAway(error) ? null : Promise.reject(error))),
      ),
    );
    expect(survivors).toEqual(Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? null : n)));
    expect(database.use().write).toMatchObject({ lent: 0, waiting: 0 });
  });

  test("a connection that is lost while nobody has it is missed by nobody", async () => {
    const pids = await Promise.all([1, 2, 3].map(() => pidIn(database.reader)));
    for (const pid of new Set(pids)) await end(pid);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        pidIn(database.reader).catch((error: unknown) => (isAway(error) ? 0 : Promise.reject(error))),
      ),
    );
    for (const pid of answers) expect(pids).not.toContain(pid);
    expect(await pidIn(database.reader)).toBeGreaterThan(0);
  });

  test("every answer is that of its own question, also after a loss", async () => {
    const ask = async (n: number): Promise<boolean> => {
      const [row] = await database.reader.execute<{ n: number }>(sql`select ${n}::int as n, pg_sleep(0.001)`);
      return row?.n === n;
    };
    const asked = Array.from({ length: 300 }, async (_, n) => {
      if (n % 50 === 0) await end(await pidIn(database.reader)).catch(() => undefined);
      return ask(n).catch((error: unknown) => isAway(error) || Promise.reject(error));
    });
    expect(await Promise.all(asked)).toEqual(asked.map(() => true));
  });

  test("after the end nobody gets one, and who waits is told so", async () => {
    const closing = open();
    const release = await hold(closing, most);
    const waiting = closing.transaction(async () => "served").catch((error: unknown) => error);
    const closed = closing.close();
    expect(await waiting).toSatisfy(isAway);
    await release();
    await closed;
    await expect(closing.transaction(async () => "served")).rejects.toSatisfy(isAway);
    await expect(pidIn(closing.reader)).rejects.toSatisfy(isAway);
  });
});

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
