import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isGone, killIfThere, TestHomes, withConnection } from "./fixture/home.ts";
import { type Installation, install } from "./fixture/starter.ts";

const homes = new TestHomes();
let installation: Installation;
beforeAll(async () => {
  installation = await install();
});
afterEach(() => homes.removeAll());
afterAll(() => installation.remove());

describe("a starter that is killed", () => {
  it("leaves a server that another takes over, and that tells when it is gone", async () => {
    const home = await homes.make();
    const starter = installation.start(home.path);
    const up = await starter.next("up", "failed");
    await starter.kill();
    const database = await home.ensure();
    expect(database).toMatchObject({ adopted: true, pid: up.pid, url: up.url });
    expect(await withConnection(database.url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
    killIfThere(up.pid);
    await database.exited;
    await isGone(up.pid);
  });

  it("in the middle of the first start leaves a home on which the next start works", async () => {
    const home = await homes.make();
    const starter = installation.start(home.path);
    await starter.next("log");
    await starter.kill();
    const { url } = await home.ensure();
    expect(await withConnection(url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

describe("starters at the same time", () => {
  it("end with one server on a new home, and all get it", async () => {
    const home = await homes.make();
    const starters = [1, 2, 3].map(() => installation.start(home.path));
    const ups = await Promise.all(starters.map((starter) => starter.next("up", "failed")));
    expect(ups.map(({ event }) => event)).toEqual(["up", "up", "up"]);
    expect(new Set(ups.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(ups.map(({ url }) => url)).size).toBe(1);
    expect(ups.filter(({ adopted }) => !adopted)).toHaveLength(1);
    await withConnection(ups[0]?.url ?? "", (sql) => sql`select 1`);
  });

  it("end with one server after a crash, and all get it", async () => {
    const home = await homes.make();
    const first = await home.ensure();
    killIfThere(first.pid);
    await first.exited;
    const starters = [1, 2, 3].map(() => installation.start(home.path));
    const ups = await Promise.all(starters.map((starter) => starter.next("up", "failed")));
    expect(ups.map(({ event }) => event)).toEqual(["up", "up", "up"]);
    expect(new Set(ups.map(({ pid }) => pid)).size).toBe(1);
    expect(ups.filter(({ adopted }) => !adopted)).toHaveLength(1);
    starters[0]?.tell("stop");
    await Promise.all(starters.map((starter) => starter.next("exited")));
    expect(await home.processes()).toEqual([]);
  });
});
