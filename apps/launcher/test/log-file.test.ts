import { appendFile, mkdtemp, open, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { follow, openLog } from "../src/log-file.ts";
import { eventually } from "./fixture/house.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "roster-log-"));
  path = join(folder, "some.log");
  await (await openLog(path)).close();
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe("a log that is followed", () => {
  it("hands on what is appended, whole lines only, letters of several bytes unharmed", async () => {
    await appendFile(path, "before\n");
    const lines: string[] = [];
    const follower = await follow(path, (line) => lines.push(line));
    const bytes = Buffer.from("zwölf Läufe\nund ein halber");
    await appendFile(path, bytes.subarray(0, 3));
    await appendFile(path, bytes.subarray(3));
    await eventually("a line", async () => (lines.length > 0 ? true : null));
    await appendFile(path, " mehr\n");
    await follower.close();
    expect(lines).toEqual(["zwölf Läufe", "und ein halber mehr"]);
  });

  it("does not grow for ever: it is put aside, and its writer goes on in the emptied one", async () => {
    await truncate(path, 33 * 1024 * 1024);
    const writer = await open(path, "a");
    const lines: string[] = [];
    const follower = await follow(path, (line) => lines.push(line));
    await eventually("an emptied log", async () => ((await stat(path)).size === 0 ? true : null));
    expect((await stat(`${path}.1`)).size).toBe(33 * 1024 * 1024);
    await writer.write("after\n");
    await follower.close();
    await writer.close();
    expect(lines).toEqual(["after"]);
  });
});
