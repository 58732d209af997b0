import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@roster/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { type Database, openDatabase } from "./database/index.ts";
import { newId } from "./ids.ts";
import { type Ear, type Signals, startSignals } from "./signals.ts";

const longMs = 20_000;

describe("signals", () => {
  let place: TestDatabase;
  let database: Database;
  const started: Signals[] = [];
  beforeAll(async () => {
    place = await createTestDatabase(inject("clusterUrl"));
    database = openDatabase({ url: place.url, poolSize: 2 });
  });
  afterEach(() => Promise.all(started.splice(0).map((signals) => signals.close())));
  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  const start = (directUrl?: string): Signals => {
    const signals = startSignals(database.driver, directUrl);
    started.push(signals);
    return signals;
  };
  /** Two servers on one database; what the second listens to is told by the first. */
  const pair = () => ({ here: start(), there: start() });
  /** True once an ear has heard of its line being up. */
  const isUp = (ear: Ear): Promise<boolean> => ear.next(longMs);
  /** What an ear hears when it has heard everything told before. */
  const rest = async (ear: Ear): Promise<boolean> => ear.next(0);

  test("who listens here hears at once, without the database", async () => {
    const signals = start(`postgres://nobody@127.0.0.1:1/none`);
    const ear = signals.listen("a");
    const before = ear.next(longMs);
    signals.notify(["a"]);
    expect(await before).toBe(true);
    signals.notify(["b", "a"]);
    expect(await ear.next(0)).toBe(true);
    expect(await ear.next(0)).toBe(false);
  });

  test("who listens on another server hears, of its own id only", async () => {
    const { here, there } = pair();
    const [a, b] = [there.listen("a"), there.listen("b")];
    await Promise.all([isUp(a), isUp(b)]);
    here.notify(["a"]);
    expect(await a.next(longMs)).toBe(true);
    expect(await rest(b)).toBe(false);
  });

  test("nobody wakes a second time of a word that was its own server's", async () => {
    const { here, there } = pair();
    const [own, far] = [here.listen("a"), there.listen("a")];
    await Promise.all([isUp(own), isUp(far)]);
    here.notify(["a"]);
    expect(await own.next(0)).toBe(true);
    await far.next(longMs);
    // What `there` says now comes after the first word on every line: had it come back, it would be heard before.
    const end = here.listen("end");
    there.notify(["end"]);
    expect(await end.next(longMs)).toBe(true);
    expect(await rest(own)).toBe(false);
  });

  test("a word that comes between two calls is not lost, and many are one", async () => {
    const signals = start();
    const ear = signals.listen("a");
    await isUp(ear);
    for (let n = 0; n < 5; n += 1) signals.notify(["a"]);
    expect([await ear.next(0), await ear.next(0)]).toEqual([true, false]);
  });

  test("an ear gives up when its time is over, its signal aborts, it is closed, or its server stops", async () => {
    const signals = start();
    const aborting = new AbortController();
    const [ear, closing, left] = [signals.listen("a"), signals.listen("a"), signals.listen("a")];
    await Promise.all([ear, closing, left].map(isUp));
    expect(await ear.next(1)).toBe(false);
    const aborted = ear.next(longMs, aborting.signal);
    aborting.abort();
    expect(await aborted).toBe(false);
    expect(await ear.next(longMs, aborting.signal)).toBe(false);
    const closed = closing.next(longMs);
    closing.close();
    expect(await closed).toBe(false);
    const stopped = left.next(longMs);
    await signals.close();
    expect(await stopped).toBe(false);
    expect(await signals.listen("a").next(longMs)).toBe(false);
  });

  test("a word about thousands of ids reaches everybody, whatever a payload holds", async () => {
    const { here, there } = pair();
    const ids = Array.from({ length: 3000 }, () => `run:${newId()}`);
    const ears = ids.map((id) => there.listen(id));
    await Promise.all(ears.map(isUp));
    here.notify(ids);
    expect(await Promise.all(ears.map((ear) => ear.next(longMs)))).toEqual(ids.map(() => true));
  });

  test("after a lost connection everybody is woken once, and hears again", async () => {
    const { here, there } = pair();
    const ear = there.listen("a");
    await isUp(ear);
    const [{ ended = 0 } = {}] = await database.driver<{ ended: number }[]>`
      select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
      where datname = ${place.name} and query ilike 'listen %'`;
    expect(ended).toBeGreaterThan(0);
    expect(await isUp(ear)).toBe(true);
    here.notify(["a"]);
    expect(await ear.next(longMs)).toBe(true);
  });

  test("a database that is away from the first moment and in between is listened to once it is there", async () => {
    const gate = await createGate(place.url);
    const [here, there] = [start(), start(gate.url)];
    const ear = there.listen("a");
    here.notify(["a"]);
    expect(await ear.next(600)).toBe(false);
    await gate.open();
    expect(await isUp(ear)).toBe(true);
    await gate.shut();
    expect(await ear.next(600)).toBe(false);
    await gate.open();
    expect(await isUp(ear)).toBe(true);
    here.notify(["a"]);
    expect(await ear.next(longMs)).toBe(true);
    await there.close();
    await gate.shut();
    await gate.remove();
  });
});

interface Gate {
  readonly url: string;
  open(): Promise<void>;
  shut(): Promise<void>;
  remove(): Promise<void>;
}

/** A way to a database that can be shut. */
async function createGate(url: string): Promise<Gate> {
  const { hostname } = new URL(url);
  const behind = decodeURIComponent(hostname);
  const folder = await mkdtemp(join(tmpdir(), "gate-"));
  // The driver sees a path in a host only when there is a comma in it.
  await symlink(".", join(folder, ","));
  const name = ".s.PGSQL.5432";
  const through = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(join(behind, name));
    for (const end of [socket, onward]) {
      through.add(end);
      end.on("error", () => undefined);
    }
    socket.pipe(onward).pipe(socket);
  });
  return {
    url: url.replace(hostname, encodeURIComponent(join(folder, ","))),
    open: async () => {
      await once(server.listen(join(folder, name)), "listening");
    },
    shut: async () => {
      for (const socket of through) socket.destroy();
      through.clear();
      await new Promise((resolve) => server.close(resolve));
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
