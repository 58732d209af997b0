import { once } from "node:events";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AlreadyAnnouncedError, announce, ControlFolderError, type Found, inquire } from "../src/index.ts";
import { type Arena, arena, type Contender } from "./fixture/contenders.ts";

const identity = { name: "test", pid: process.pid, build: "b1", settings: "s1", url: "http://localhost:1", more: [1] };

let here: Arena;

beforeEach(async () => {
  here = await arena();
});

afterEach(async () => {
  await here.clear();
});

async function found(): Promise<Found> {
  const answer = await inquire(here.path);
  if (answer === null) throw new Error("nobody answers");
  return answer;
}

describe("who answers at a control socket", () => {
  it("is nobody, where nobody ever announced itself", async () => {
    expect(await inquire(here.path)).toBeNull();
  });

  it("is told with everything it said of itself, to several at once", async () => {
    const announcement = await announce(here.path, identity);
    const answers = await Promise.all(Array.from({ length: 20 }, found));
    expect(answers.map((answer) => answer.identity)).toEqual(answers.map(() => identity));
    for (const answer of answers) answer.release();
    await announcement.close();
  });

  it("can be reached by this user only", async () => {
    const announcement = await announce(here.path, identity);
    expect((await stat(here.folder)).mode & 0o777).toBe(0o700);
    expect((await stat(here.path)).mode & 0o777).toBe(0o600);
    await announcement.close();
  });

  it("is nobody again after it closed, and nothing is left behind", async () => {
    const announcement = await announce(here.path, identity);
    const answer = await found();
    await announcement.close();
    await answer.gone;
    expect(await inquire(here.path)).toBeNull();
    expect(await readdir(here.folder)).toEqual([]);
  });

  it("is seen dying by kill -9, and is nobody from then on", async () => {
    const contender = await here.contender();
    expect(await contender.contend()).toEqual({ won: true });
    const answer = await found();
    expect(answer.identity.pid).toBe(contender.pid);
    contender.kill();
    await answer.gone;
    expect(await inquire(here.path)).toBeNull();
  });

  it("is not taken for dead when it hangs up without a word, as a process without free file descriptors does", async () => {
    await mkdir(here.folder, { mode: 0o700 });
    let calls = 0;
    const server = createServer((socket) => {
      calls += 1;
      if (calls <= 3) socket.destroy();
      else socket.end(`${JSON.stringify(identity)}\n`);
    });
    server.listen(here.path);
    await once(server, "listening");
    expect((await found()).identity).toEqual(identity);
    server.close();
  });
});

describe("announcing oneself", () => {
  it("is refused with the identity of the living holder, which goes on undisturbed", async () => {
    const announcement = await announce(here.path, identity);
    const refused = announce(here.path, { ...identity, name: "second" });
    await expect(refused).rejects.toBeInstanceOf(AlreadyAnnouncedError);
    await expect(refused).rejects.toMatchObject({ holder: identity, path: here.path });
    const answer = await found();
    expect(answer.identity).toEqual(identity);
    answer.release();
    await announcement.close();
  });

  it("takes over the socket of a dead process and clears away what that left", async () => {
    const contender = await here.contender();
    await contender.contend();
    contender.kill();
    await contender.died;
    expect(await readdir(here.folder)).toHaveLength(2);
    const announcement = await announce(here.path, identity);
    expect(await readdir(here.folder)).toHaveLength(2);
    expect((await found()).identity).toEqual(identity);
    await announcement.close();
    expect(await readdir(here.folder)).toEqual([]);
  });

  it("does not keep the process alive, nor do those who are connected", async () => {
    const contender = await here.contender();
    await contender.contend();
    const watcher = connect(here.path);
    await once(watcher, "connect");
    const answer = await found();
    contender.leave();
    await answer.gone;
    await contender.died;
    watcher.destroy();
  });

  it("is refused where others could write or where something else lies in the way", async () => {
    await mkdir(here.folder, { mode: 0o700 });
    await chmod(here.folder, 0o777);
    await expect(announce(here.path, identity)).rejects.toBeInstanceOf(ControlFolderError);
    await chmod(here.folder, 0o700);
    await writeFile(here.path, "not a socket");
    await expect(announce(here.path, identity)).rejects.toThrow(`${here.path} was not made by Roster`);
  });

  it("is refused when the path is longer than a socket's path may be", async () => {
    const long = join(here.folder, "x".repeat(100));
    await expect(announce(long, identity)).rejects.toThrow("may have 103 bytes");
    await expect(inquire(long)).rejects.toThrow("may have 103 bytes");
  });
});

describe("many processes at once", () => {
  it("have exactly one winner, round after round of kill -9 of the winner and of some in the middle", async () => {
    const all = await Promise.all(Array.from({ length: 32 }, () => here.contender()));
    let living = all;
    let rounds = 0;
    while (living.length >= 6) {
      living = await round(living);
      rounds += 1;
    }
    expect(rounds).toBeGreaterThanOrEqual(8);
  }, 60_000);

  async function round(contenders: Contender[]): Promise<Contender[]> {
    const victims = contenders.slice(0, 2);
    const results = contenders.map((contender) => contender.contend());
    for (const [index, victim] of victims.entries()) setTimeout(() => victim.kill(), index * 3);
    const told = await Promise.all(results);
    await Promise.all(victims.map((victim) => victim.died));
    const rest = contenders.filter((contender) => !victims.includes(contender));
    const winners = contenders.filter((_, index) => told[index]?.won === true);
    // A victim may have won and died; then one of the rest may have won after it, or nobody holds the socket now.
    const livingWinners = winners.filter((winner) => rest.includes(winner));
    expect(livingWinners.length).toBeLessThanOrEqual(1);
    const holder = await inquire(here.path);
    expect(holder?.identity.pid).toBe(livingWinners[0]?.pid);
    if (!victims.some((victim) => winners.includes(victim))) expect(livingWinners).toHaveLength(1);
    livingWinners[0]?.kill();
    await holder?.gone;
    return rest.filter((contender) => contender !== livingWinners[0]);
  }
});
