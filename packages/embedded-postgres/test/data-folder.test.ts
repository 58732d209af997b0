import { access, cp, mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DatabaseStartError, type EmbeddedDatabase } from "../src/index.ts";
import { findProcess } from "../src/process-table.ts";
import { isRoot, makeTestHome, type TestHome, TestHomes, withConnection } from "./fixture/home.ts";

const homes = new TestHomes();
afterAll(() => homes.removeAll());

async function refusalOf(home: TestHome): Promise<DatabaseStartError> {
  const outcome: EmbeddedDatabase | Error = await home.ensure().catch((error: Error) => error);
  expect(outcome).toBeInstanceOf(DatabaseStartError);
  return outcome as DatabaseStartError;
}

describe("what an interrupted first start left behind", () => {
  it("is put aside, and a new database is made", async () => {
    const home = await homes.make();
    const { place } = home;
    await mkdir(join(place.data, "base"), { recursive: true });
    await writeFile(join(place.data, "PG_VERSION"), "18\n");
    await writeFile(join(place.data, "base", "something"), "of somebody");
    const lines: string[] = [];
    const { url } = await home.ensure({ log: (line) => lines.push(line) });
    expect(await withConnection(url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
    const aside = (await readdir(place.folder)).find((name) => name.startsWith("cluster-half-made-")) ?? "";
    await access(join(place.folder, aside, "data", "base", "something"));
    expect(lines.join()).toContain(`put aside as ${join(place.folder, aside)}`);
  });

  it("is removed when it is old and has never held a server", async () => {
    const home = await homes.make();
    const { place } = home;
    const [old, recent, served] = ["old", "recent", "served"].map((name) =>
      join(place.folder, `draft-cluster-${name}`),
    );
    for (const draft of [old, recent, served]) await mkdir(join(draft ?? "", "data"), { recursive: true });
    await writeFile(join(served ?? "", "data", "postmaster.opts"), "");
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const draft of [old, served]) await utimes(draft ?? "", anHourAgo, anHourAgo);
    await home.ensure();
    const left = (await readdir(place.folder)).filter((name) => name.startsWith("draft-"));
    expect(left).toEqual(["draft-cluster-recent", "draft-cluster-served"]);
  });
});

describe("a finished database", () => {
  let home: TestHome;
  beforeAll(async () => {
    home = await makeTestHome();
    const { url, stop } = await home.ensure();
    await withConnection(url, (sql) => sql`create table kept as select 42 as answer`);
    await stop();
  });
  afterAll(() => home.remove());

  async function expectItIsStillThere(): Promise<EmbeddedDatabase> {
    const database = await home.ensure();
    expect(await withConnection(database.url, (sql) => sql`select answer from kept`)).toEqual([{ answer: 42 }]);
    return database;
  }

  it("that another major version made is refused with the remedy, and left alone", async () => {
    const version = join(home.place.data, "PG_VERSION");
    await writeFile(version, "17\n");
    const { message, remedy } = await refusalOf(home);
    expect(message).toContain("were made by PostgreSQL 17, and PostgreSQL 18 is installed");
    expect(remedy).toContain("Start the release of Roster");
    await writeFile(version, "18\n");
    await (await expectItIsStillThere()).stop();
  });

  it("that is damaged is not replaced by an empty one", async () => {
    const control = join(home.place.data, "global", "pg_control");
    await rename(control, `${control}.away`);
    const { message, remedy } = await refusalOf(home);
    expect(message).toContain("is damaged");
    expect(remedy).toContain("from a backup");
    await rename(`${control}.away`, control);
    await (await expectItIsStillThere()).stop();
  });

  it("that is gone is not replaced by an empty one", async () => {
    const { cluster } = home.place;
    await rename(cluster, `${cluster}-elsewhere`);
    expect((await refusalOf(home)).message).toContain("is gone");
    await rename(`${cluster}-elsewhere`, cluster);
    await (await expectItIsStillThere()).stop();
  });

  it.runIf(isRoot)("is not mixed up with that of a copied home", async () => {
    const copy = await homes.make();
    await cp(home.path, copy.path, { recursive: true });
    const { message, remedy } = await refusalOf(copy);
    expect(message).toContain(`is in ${home.place.folder}, which belongs to the home ${home.path}`);
    expect(remedy).toContain("Move the home back");
  });

  it("is found again when the home was emptied", async () => {
    await rm(home.place.record);
    await (await expectItIsStillThere()).stop();
    await access(home.place.record);
  });

  it("runs from newer binaries once they are installed, and not from older ones", async () => {
    const { folder } = home.place;
    const [installed = ""] = (await readdir(folder)).filter((name) => name.startsWith("runtime-"));
    const runtimeOf = async () => {
      const { pid, stop } = await expectItIsStillThere();
      const { command = "" } = (await findProcess(pid)) ?? {};
      await stop();
      return command.split("/").find((part) => part.startsWith("runtime-"));
    };
    await rename(join(folder, installed), join(folder, "runtime-18.3.0-beta.99"));
    expect(await runtimeOf()).toBe(installed);
    expect((await readdir(folder)).filter((name) => name.startsWith("runtime-"))).toEqual([installed]);
    await rename(join(folder, installed), join(folder, "runtime-18.10.0"));
    expect(await runtimeOf()).toBe("runtime-18.10.0");
    expect((await readdir(folder)).filter((name) => name.startsWith("runtime-"))).toEqual(["runtime-18.10.0"]);
  });

  it("has its binaries copied anew when somebody removed some", async () => {
    const { folder } = home.place;
    const [runtime = ""] = (await readdir(folder)).filter((name) => name.startsWith("runtime-"));
    await rm(join(folder, runtime, "bin", "postgres"));
    await (await expectItIsStillThere()).stop();
  });
});
