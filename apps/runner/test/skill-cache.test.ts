import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SkillCache } from "../src/preparing/skill-cache.ts";

const dayMs = 24 * 60 * 60 * 1000;
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "skills-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const files = [{ path: "SKILL.md", base64: Buffer.from("Do well.").toString("base64") }];

test("a skill is fetched once, and again after no run had it for 30 days", async () => {
  const cache = new SkillCache(join(home, "cache"));
  await mkdir(join(home, "cache"));
  let fetched = 0;
  const fetch = () => {
    fetched += 1;
    return Promise.resolve(files);
  };
  await cache.place("one", join(home, "a"), fetch);
  await cache.place("one", join(home, "b"), fetch);
  await cache.prune(Date.now() + 29 * dayMs);
  await cache.place("one", join(home, "c"), fetch);
  expect(fetched).toBe(1);
  await cache.prune(Date.now() + 31 * dayMs);
  await cache.place("one", join(home, "d"), fetch);
  expect(fetched).toBe(2);
  expect(await readFile(join(home, "d", "SKILL.md"), "utf8")).toBe("Do well.");
});

test("being had by a run makes a skill young again; what was never whole is thrown away", async () => {
  const folder = join(home, "cache");
  await mkdir(join(folder, ".half-made"), { recursive: true });
  const cache = new SkillCache(folder);
  await cache.place("one", join(home, "a"), () => Promise.resolve(files));
  const long = new Date(Date.now() - 40 * dayMs);
  await utimes(join(folder, "one"), long, long);
  await cache.place("one", join(home, "b"), () => Promise.reject(new Error("it is there")));
  await cache.prune();
  expect(await readdir(folder)).toEqual(["one"]);
});

test("a home without a cache has nothing to throw away", async () => {
  await new SkillCache(join(home, "none")).prune();
  expect(await readdir(home)).toEqual([]);
});
