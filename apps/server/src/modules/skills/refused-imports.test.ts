import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SkillGround, skillText, startSkillGround } from "../../../test/skill-ground.ts";
import { requireMayReadFolder } from "./read-folder.ts";

let ground: SkillGround;
let companyId: string;
beforeAll(async () => {
  ground = await startSkillGround();
});
afterAll(() => ground.server.close());
beforeEach(async () => {
  companyId = await ground.company();
});

/** Whatever was refused, nothing of it was written. */
afterEach(async () => {
  expect(await ground.countsOf(companyId)).toEqual({ skills: 0, versions: 0, files: 0 });
  expect(await ground.logOf(companyId)).toEqual([]);
});

const good = { "good/SKILL.md": skillText("Good") };
const filesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.txt`, ""]));
const githubToken = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

const refusedFiles: [string, Record<string, string>, string][] = [
  ["no file", {}, "files"],
  ["no SKILL.md", { "README.md": "x" }, "files"],
  ["a misspelt SKILL.md", { "a/Skill.md": skillText("x") }, "files"],
  ["no front matter", { ...good, "x/SKILL.md": "# X" }, "files.x/SKILL.md"],
  ["front matter that is not YAML", { ...good, "x/SKILL.md": "---\nname: [\n---" }, "files.x/SKILL.md"],
  ["a path that climbs", { ...good, "good/../../x": "x" }, "files.good/../../x"],
  ["an absolute path", { ...good, "/etc/passwd": "x" }, "files./etc/passwd"],
  ["two files that are one", { ...good, "good/a": "x", "good/A": "y" }, "files.good"],
  ["too many files", { "SKILL.md": skillText("x"), ...filesOf(200) }, "files"],
  ["too many bytes", { "SKILL.md": skillText("x"), a: "é".repeat(2.5 * 2 ** 20) }, "files"],
  ["the same key twice", { ...good, "x/SKILL.md": skillText("good!") }, "files.x/SKILL.md"],
  [
    "too many skills",
    Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${n}/SKILL.md`, skillText(`s${n}`)])),
    "files",
  ],
];

describe("an import is refused as a whole, with 400 and the place", () => {
  test.each(refusedFiles)("for %s", async (_, files, path) => {
    const refused = ground.board.skills.import({ params: { companyId }, body: { files } });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "invalid_request", details: [{ path }] });
  });

  test("for neither or both of files and source, and for a source that names nothing", async () => {
    const url = `${ground.server.url}/api/companies/${companyId}/skills/import`;
    const headers = { "content-type": "application/json" };
    for (const body of [{}, { files: good, source: "/tmp" }, { files: { "SKILL.md": 1 } }]) {
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      const message = expect.stringContaining("needs either files, an object of texts by path, or source");
      expect(await response.json()).toMatchObject({ code: "invalid_request", details: [{ path: "", message }] });
    }
    for (const source of ["acme", "./skills", "https://example.com/review.md"]) {
      const refused = ground.board.skills.import({ params: { companyId }, body: { source } });
      const details = [{ path: "source", message: expect.stringContaining("must be owner/repo") }];
      await expect(refused).rejects.toMatchObject({ status: 400, code: "invalid_request", details });
    }
  });
});

test("a body over 8 MiB is refused with 413", async () => {
  const refused = ground.board.skills.import({
    params: { companyId },
    body: { files: { "SKILL.md": "x".repeat(8.1 * 2 ** 20) } },
  });
  await expect(refused).rejects.toMatchObject({ status: 413, code: "payload_too_large" });
});

describe("a secret is refused with 422", () => {
  const escaped = githubToken.replace("ghp", "\\x67hp");
  test.each([
    ["in a text", { "SKILL.md": skillText("x"), "a/b.txt": `token: ${githubToken}` }],
    ["in front matter", { "SKILL.md": skillText(githubToken) }],
    ["behind escapes of YAML", { "SKILL.md": `---\nname: x\ndescription: "${escaped}"\n---\n` }],
  ])("%s, and the answer does not repeat it", async (_, files) => {
    const refused = ground.board.skills.import({ params: { companyId }, body: { files } });
    const error: unknown = await refused.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 422, code: "secret_in_text" });
    expect(JSON.stringify(error)).not.toContain(githubToken.slice(4));
  });
});

describe("who may not import is refused with 403", () => {
  test("an agent without canManageSkills", async () => {
    const agent = await ground.agentOf(companyId);
    const refused = agent.skills.import({ params: { companyId }, body: { files: good } });
    await expect(refused).rejects.toMatchObject({ status: 403, code: "forbidden" });
  });

  test("an agent of another company", async () => {
    const agent = await ground.agentOf(await ground.company(), { canManageSkills: true });
    const refused = agent.skills.import({ params: { companyId }, body: { files: good } });
    await expect(refused).rejects.toMatchObject({ status: 403, code: "other_company" });
  });

  test("from a folder: an agent", async () => {
    const agent = await ground.agentOf(companyId, { canManageSkills: true });
    const refused = agent.skills.import({ params: { companyId }, body: { source: "/etc" } });
    await expect(refused).rejects.toMatchObject({ status: 403, code: "forbidden" });
  });

  test("from a folder: the board where the machine is not trusted as the board, but for what the operator opened", async () => {
    const caller = { kind: "board", userId: "" } as const;
    const top = await realpath(await mkdtemp(join(tmpdir(), "roster-skills-")));
    await mkdir(join(top, "open/inner"), { recursive: true });
    await mkdir(join(top, "open-not"));
    await symlink("../open-not", join(top, "open/link"));
    const needs = { readsFolders: false, skillRoots: [join(top, "nowhere"), join(top, "open")] };
    for (const open of ["open", "open/inner", "open/../open/inner"]) {
      await requireMayReadFolder(caller, `${top}/${open}`, needs);
    }
    for (const closed of ["", "open-not", "open/link", "open/nowhere", "open/../open-not", "nowhere"]) {
      const refused = requireMayReadFolder(caller, `${top}/${closed}`, needs);
      await expect(refused, closed).rejects.toMatchObject({ code: "forbidden" });
    }
    await expect(requireMayReadFolder(caller, "/srv", { readsFolders: false, skillRoots: [] })).rejects.toThrow();
    await requireMayReadFolder(caller, "/srv", { readsFolders: true, skillRoots: [] });
    await rm(top, { recursive: true });
  });
});

test("an archived company takes no skill: 409", async () => {
  await ground.board.companies.archive({ params: { companyId } });
  const refused = ground.board.skills.import({ params: { companyId }, body: { files: good } });
  await expect(refused).rejects.toMatchObject({ status: 409, code: "wrong_state" });
});
