import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { EmbeddedDatabase } from "../src/index.ts";
import { findProcess } from "../src/process-table.ts";
import { isGone, killIfThere, makeTestHome, type TestHome, withConnection } from "./fixture/home.ts";

// One home for all: each test leaves it in a state from which the next one has to start.
let home: TestHome;
const strangers: ChildProcess[] = [];
beforeAll(async () => {
  home = await makeTestHome();
});
afterEach(() => {
  for (const stranger of strangers.splice(0)) stranger.kill("SIGKILL");
});
afterAll(() => home.remove());

/** A server that this process has started, not taken over. */
async function startedServer(): Promise<EmbeddedDatabase> {
  const found = await home.ensure();
  if (!found.adopted) return found;
  await found.stop();
  return home.ensure();
}

/** Leaves the home as `kill -9` of its server leaves it. */
async function crash(): Promise<void> {
  const { pid, exited } = await home.ensure();
  killIfThere(pid);
  await exited;
}

/** A living program that is no server, under the account that runs the server. */
async function strangerUnderSameAccount(): Promise<ChildProcess> {
  const { uid, gid } = await stat(home.place.data);
  const stranger = spawn("sleep", ["600"], { uid, gid, cwd: "/" });
  strangers.push(stranger);
  await vi.waitFor(async () => expect((await findProcess(stranger.pid ?? 0))?.uid).toBe(uid));
  return stranger;
}

async function writePid(lockFile: string, pid: number | undefined): Promise<void> {
  const lines = (await readFile(lockFile, "utf8")).split("\n");
  await writeFile(lockFile, [String(pid), ...lines.slice(1)].join("\n"));
}

describe("after kill -9 of the database", () => {
  it("the next start has every acknowledged row", async () => {
    const first = await startedServer();
    const acknowledged: number[] = [];
    const sql = postgres(first.url, { max: 4, onnotice: () => undefined });
    await sql`create table entry (id int primary key)`;
    let next = 0;
    const writer = async (): Promise<void> => {
      for (;;) {
        next += 1;
        const id = next;
        await sql`insert into entry values (${id})`;
        acknowledged.push(id);
        if (id === 300) killIfThere(first.pid);
      }
    };
    await Promise.allSettled([writer(), writer(), writer(), writer()]);
    await sql.end({ timeout: 0 });
    await first.exited;
    const second = await home.ensure();
    expect(second.adopted).toBe(false);
    expect(second.pid).not.toBe(first.pid);
    const rows = await withConnection(second.url, (again) => again<{ id: number }[]>`select id from entry`);
    const kept = new Set(rows.map(({ id }) => id));
    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });

  it("a process of it that stays busy does not keep the next start away", async () => {
    const first = await startedServer();
    await withConnection(first.url, async (sql) => {
      const [{ pid: busy }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }];
      const loop = sql`do 'begin loop end loop; end'`.simple().catch(() => undefined);
      await withConnection(first.url, (watcher) =>
        vi.waitFor(async () => {
          const states = await watcher`select state from pg_stat_activity where pid = ${busy}`;
          expect(states).toEqual([{ state: "active" }]);
        }),
      );
      killIfThere(first.pid);
      await first.exited;
      expect(await findProcess(busy)).not.toBeNull();
      const lines: string[] = [];
      const second = await home.ensure({ log: (line) => lines.push(line) });
      expect(second.adopted).toBe(false);
      expect(lines).toContain(`Ending processes of a database server that died: ${busy}.`);
      await isGone(busy);
      await loop;
    });
  });

  it("a lock file whose pid belongs to a living stranger does not hinder the start", async () => {
    await crash();
    const stranger = await strangerUnderSameAccount();
    await writePid(join(home.place.data, "postmaster.pid"), stranger.pid);
    const { adopted, pid } = await home.ensure();
    expect(adopted).toBe(false);
    expect(pid).not.toBe(stranger.pid);
    expect(stranger.exitCode).toBeNull();
  });

  it("a socket's lock file whose pid belongs to a living stranger does not hinder the start", async () => {
    await crash();
    const stranger = await strangerUnderSameAccount();
    await writePid(join(home.place.sockets, ".s.PGSQL.5432.lock"), stranger.pid);
    expect((await home.ensure()).adopted).toBe(false);
  });

  it("a lock file whose pid is a zombie's does not hinder the start", async () => {
    await crash();
    const { uid, gid } = await stat(home.place.data);
    // The shell becomes a program that never asks how its child ended.
    const script = "exec 3<&0; (read line <&3) & echo $!; exec sleep 600";
    const parent = spawn("sh", ["-c", script], { uid, gid, cwd: "/" });
    strangers.push(parent);
    const zombie = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
    await vi.waitFor(async () => expect((await findProcess(parent.pid ?? 0))?.command).toBe("sleep 600"));
    parent.stdin.write("\n");
    await vi.waitFor(async () => expect(await readFile(`/proc/${zombie}/stat`, "utf8")).toContain(") Z "));
    await writePid(join(home.place.data, "postmaster.pid"), zombie);
    expect((await home.ensure()).adopted).toBe(false);
  });

  it("a lock file that a full disk left empty does not hinder the start", async () => {
    await crash();
    await writeFile(join(home.place.data, "postmaster.pid"), "");
    expect((await home.ensure()).adopted).toBe(false);
  });
});

describe("a living server", () => {
  it("that has lost its socket is restarted without loss", async () => {
    const first = await startedServer();
    await withConnection(first.url, (sql) => sql`create table if not exists kept as select 42 as answer`);
    await rm(home.place.socketsParent, { recursive: true });
    const second = await home.ensure();
    expect(second.adopted).toBe(false);
    await first.exited;
    expect(await withConnection(second.url, (sql) => sql`select answer from kept`)).toEqual([{ answer: 42 }]);
  });

  it("that waits for its clients to leave is restarted", async () => {
    const first = await startedServer();
    const client = postgres(first.url, { max: 1 });
    await client`select 1`;
    process.kill(first.pid, "SIGTERM");
    const second = await home.ensure();
    expect(second.adopted).toBe(false);
    expect(second.pid).not.toBe(first.pid);
    await client.end({ timeout: 0 });
  });

  it("is taken over, told to be gone when it is, and stopped", async () => {
    const first = await startedServer();
    const second = await home.ensure();
    expect(second).toMatchObject({ adopted: true, pid: first.pid, url: first.url });
    await second.stop();
    await Promise.all([first.exited, second.exited]);
    expect(await home.processes()).toEqual([]);
  });

  it("whose sessions all end is not taken for gone", async () => {
    const first = await startedServer();
    const second = await home.ensure();
    let isGoneNow = false;
    void second.exited.then(() => {
      isGoneNow = true;
    });
    await withConnection(first.url, async (sql) => {
      const watchers = () =>
        sql<{ pid: number }[]>`select pid from pg_stat_activity where application_name like 'roster database%'`;
      const [before] = await watchers();
      await sql`select pg_terminate_backend(${before?.pid ?? 0})`;
      await vi.waitFor(async () => {
        const [after] = await watchers();
        expect(after?.pid).toBeGreaterThan(0);
        expect(after?.pid).not.toBe(before?.pid);
      });
    });
    expect(isGoneNow).toBe(false);
    killIfThere(first.pid);
    await second.exited;
    await second.stop();
  });
});
