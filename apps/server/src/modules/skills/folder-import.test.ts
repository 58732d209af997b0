import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SkillGround, skillText, startSkillGround } from "../../../test/skill-ground.ts";

let ground: SkillGround;
let companyId: string;
let top: string;
let source: string;
beforeAll(async () => {
  ground = await startSkillGround();
});
afterAll(() => ground.server.close());
beforeEach(async () => {
  companyId = await ground.company();
  top = await realpath(await mkdtemp(join(tmpdir(), "roster-skills-")));
  source = join(top, "skills");
});
afterEach(() => rm(top, { recursive: true }));

async function put(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(source, path)), { recursive: true });
    await writeFile(join(source, path), content);
  }
}

const importFolder = () => ground.board.skills.import({ params: { companyId }, body: { source } });

describe("a folder is imported", () => {
  test("with binary files byte by byte, links inside it as the files they lead to", async () => {
    const image = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    await put({ "SKILL.md": skillText("Draw"), "assets/a.png": image, "shared/b.txt": "b" });
    await symlink("../shared/b.txt", join(source, "assets/b.txt"));
    const { imported, warnings } = await importFolder();
    expect(warnings).toEqual([]);
    expect(imported).toMatchObject([{ key: "local/draw", source: { type: "folder", locator: source, ref: null } }]);
    expect(imported[0]?.files).toMatchObject([
      { path: "SKILL.md", kind: "skill" },
      { path: "assets/a.png", kind: "asset", bytes: 256 },
      { path: "assets/b.txt", kind: "asset", bytes: 1 },
      { path: "shared/b.txt", kind: "other", bytes: 1 },
    ]);
    const params = { skillId: imported[0]?.id ?? "" };
    const file = await ground.board.skills.getFile({ params, query: { path: "assets/a.png" } });
    expect(file).toMatchObject({ encoding: "base64", content: image.toString("base64") });
  });

  test("as every skill in it, each with its own folder as its source, and tells what it left out", async () => {
    await put({ "README.md": "x", "a/SKILL.md": skillText("a"), "b/c/SKILL.md": skillText("c") });
    await put({ "a/node_modules/x/index.js": "x", "a/.git/config": "x", ".git/SKILL.md": skillText("hidden") });
    const { imported, warnings } = await importFolder();
    expect(imported.map((skill) => [skill.key, skill.source.locator])).toEqual([
      ["local/a", join(source, "a")],
      ["local/c", join(source, "b/c")],
    ]);
    expect(warnings).toEqual([
      "a/.git was left out.",
      "a/node_modules was left out.",
      "Left out, because they belong to no skill: README.md.",
    ]);
  });

  test("as the same skill as from the same files in a request", async () => {
    const files = { "SKILL.md": skillText("Same"), "a.txt": "é" };
    await put(files);
    const { imported } = await ground.board.skills.import({ params: { companyId }, body: { files } });
    expect((await importFolder()).imported).toEqual(imported);
    expect(await ground.logOf(companyId)).toHaveLength(1);
  });
});

describe("a folder is refused, and nothing of it is written", () => {
  const skill = { "SKILL.md": skillText("x") };
  const invalid = (path: string, message: string) => ({
    code: "invalid_request",
    details: [{ path, message: expect.stringContaining(message) }],
  });
  afterEach(async () => {
    expect(await ground.countsOf(companyId)).toEqual({ skills: 0, versions: 0, files: 0 });
    expect(await ground.logOf(companyId)).toEqual([]);
  });

  test("for a link to a file outside", async () => {
    await put(skill);
    await writeFile(join(top, "outside"), "x");
    await symlink("../outside", join(source, "a.txt"));
    await expect(importFolder()).rejects.toMatchObject(invalid("source.a.txt", "leads out of the folder"));
  });

  test("for a link to a folder, outside or inside", async () => {
    await put({ ...skill, "b/c": "" });
    await symlink("/etc", join(source, "a"));
    await expect(importFolder()).rejects.toMatchObject(invalid("source.a", "leads out of the folder"));
    await rm(join(source, "a"));
    await symlink(".", join(source, "b", "a"));
    await expect(importFolder()).rejects.toMatchObject(invalid("source.b/a", "neither a file nor a link to one"));
  });

  test("for a SKILL.md that is a link to the outside", async () => {
    await put({ "a.txt": "x" });
    await writeFile(join(top, "SKILL.md"), skillText("x"));
    await symlink("../SKILL.md", join(source, "SKILL.md"));
    await expect(importFolder()).rejects.toMatchObject(invalid("source.SKILL.md", "leads out of the folder"));
  });

  test("for a link that leads nowhere or to itself, and for a folder that is not there", async () => {
    await expect(importFolder()).rejects.toMatchObject({ status: 422, code: "unknown_reference" });
    await put(skill);
    for (const target of ["nowhere", "a"]) {
      await rm(join(source, "a"), { force: true });
      await symlink(target, join(source, "a"));
      await expect(importFolder()).rejects.toMatchObject({ status: 422, code: "unknown_reference" });
    }
  });

  test("for a pipe, without waiting for who would write into it", async () => {
    await put(skill);
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", join(source, "pipe")]);
    await expect(importFolder()).rejects.toMatchObject(invalid("source.pipe", "neither a file nor a link to one"));
  });

  test("for a file of more bytes than a skill may have, without reading it", async () => {
    await put({ ...skill, large: "" });
    await truncate(join(source, "large"), 2 ** 40);
    await expect(importFolder()).rejects.toMatchObject(invalid("source.large", "bytes"));
  });

  test("for more files than anyone would name skills", async () => {
    await mkdir(source);
    await Promise.all(Array.from({ length: 10_001 }, (_, n) => writeFile(join(source, `${n}`), "")));
    await expect(importFolder()).rejects.toMatchObject(invalid("source", "more than 10000 files and folders"));
  });

  test("for a SKILL.md that is not text, and for a folder without one", async () => {
    await put({ "a.txt": "x" });
    await expect(importFolder()).rejects.toMatchObject(invalid("source", "holds no SKILL.md"));
    await put({ "SKILL.md": Buffer.from([0x2d, 0xff]) });
    await expect(importFolder()).rejects.toMatchObject(invalid("source.SKILL.md", "not UTF-8 text"));
  });

  test("for a secret in a text or a file name, with 422", async () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    await put({ ...skill, "a.txt": token });
    const refused = { status: 422, code: "secret_in_text", details: [{ path: "source.a.txt" }] };
    await expect(importFolder()).rejects.toMatchObject(refused);
    await rm(join(source, "a.txt"));
    await put({ [token]: "" });
    await expect(importFolder()).rejects.toMatchObject({ status: 422, code: "secret_in_text" });
  });
});
