import type { Client } from "@roster/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SkillGround, skillText, startSkillGround } from "../../../test/skill-ground.ts";

let ground: SkillGround;
let board: Client;
beforeAll(async () => {
  ground = await startSkillGround();
  board = ground.board;
});
afterAll(() => ground.server.close());

const importFiles = (companyId: string, files: Record<string, string>, client = board) =>
  client.skills.import({ params: { companyId }, body: { files } });

describe("importing skills", () => {
  test("stores the skill under a key from its name, and the log says who did it and what came", async () => {
    const companyId = await ground.company();
    const files = { "SKILL.md": skillText("Code Review"), "scripts/run.sh": "echo é", "references/a.md": "# A" };
    const { imported, warnings } = await importFiles(companyId, files);
    expect(warnings).toEqual([]);
    expect(imported).toEqual([
      {
        id: expect.any(String),
        companyId,
        key: "local/code-review",
        slug: "code-review",
        name: "Code Review",
        description: "What Code Review is for",
        source: { type: "files", locator: null, ref: null },
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        files: [
          { path: "SKILL.md", kind: "skill", bytes: files["SKILL.md"].length },
          { path: "references/a.md", kind: "reference", bytes: 3 },
          { path: "scripts/run.sh", kind: "script", bytes: 7 },
        ],
        createdAt: expect.any(String),
      },
    ]);
    const [skill] = imported;
    const version = skill?.contentHash.slice(0, 12);
    expect(await ground.logOf(companyId)).toMatchObject([
      {
        action: "skill.imported",
        entityType: "skill",
        entityId: skill?.id,
        details: { key: "local/code-review", version, files: 3 },
        sentence: `The board imported the skill local/code-review (version ${version}, files: 3)`,
      },
    ]);
    expect(await board.skills.get({ params: { skillId: skill?.id ?? "" } })).toEqual(skill);
  });

  test("takes every folder with a SKILL.md and tells what belongs to none", async () => {
    const companyId = await ground.company();
    const { imported, warnings } = await importFiles(companyId, {
      "b/SKILL.md": skillText("Second"),
      "b/note.txt": "n",
      "a/SKILL.md": skillText("First"),
      "README.md": "# Skills",
    });
    expect(imported.map(({ key, files }) => [key, files.length])).toEqual([
      ["local/first", 1],
      ["local/second", 2],
    ]);
    expect(warnings).toEqual(["Left out, because they belong to no skill: README.md."]);
    expect(await ground.logOf(companyId)).toHaveLength(2);
  });

  test("answers 201 with the list as Location", async () => {
    const companyId = await ground.company();
    const response = await fetch(`${ground.server.url}/api/companies/${companyId}/skills/import`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ files: { "SKILL.md": skillText("x") } }),
    });
    expect([response.status, response.headers.get("location")]).toEqual([201, `/api/companies/${companyId}/skills`]);
  });

  test("an agent may with canManageSkills, and the log names it", async () => {
    const companyId = await ground.company();
    const agent = await ground.agentOf(companyId, { canManageSkills: true });
    const { imported } = await importFiles(companyId, { "SKILL.md": skillText("x") }, agent);
    expect(imported).toHaveLength(1);
    expect(await ground.logOf(companyId)).toMatchObject([{ actor: { kind: "agent", name: "Ada" } }]);
  });
});

describe("importing again", () => {
  test("the same content is the same skill: no version, no entry, the same ETag", async () => {
    const companyId = await ground.company();
    const files = { "SKILL.md": skillText("Same"), "a.txt": "a" };
    const first = await importFiles(companyId, files);
    const again = await importFiles(companyId, Object.fromEntries(Object.entries(files).reverse()));
    expect(again).toEqual(first);
    expect(await ground.logOf(companyId)).toHaveLength(1);
    expect(await ground.countsOf(companyId)).toEqual({ skills: 1, versions: 1, files: 2 });
  });

  test("ten imports of the same content at once give one skill, one version and one entry", async () => {
    const companyId = await ground.company();
    const sibling = await ground.server.sibling();
    const files = { "SKILL.md": skillText("Same"), "a.txt": "a" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => importFiles(companyId, files, n % 2 ? board : sibling.board)),
    );
    await sibling.close();
    expect(new Set(answers.map(({ imported }) => imported[0]?.id)).size).toBe(1);
    expect(await ground.logOf(companyId)).toHaveLength(1);
    expect(await ground.countsOf(companyId)).toEqual({ skills: 1, versions: 1, files: 2 });
  });

  test("ten imports of different content at once give one skill with ten versions, all readable", async () => {
    const companyId = await ground.company();
    const contents = Array.from({ length: 10 }, (_, n) => skillText("Same", `Do ${n}.`));
    const answers = await Promise.all(contents.map((content) => importFiles(companyId, { "SKILL.md": content })));
    const ids = new Set(answers.map(({ imported }) => imported[0]?.id ?? ""));
    expect(ids.size).toBe(1);
    const params = { skillId: [...ids][0] ?? "" };
    const read = answers.map(async ({ imported }) => {
      const query = { contentHash: imported[0]?.contentHash ?? "" };
      return (await board.skills.getFile({ params, query })).content;
    });
    expect(await Promise.all(read)).toEqual(contents);
    const log = await ground.logOf(companyId);
    expect(log.map(({ action }) => action)).toEqual(["skill.imported", ...Array(9).fill("skill.updated")]);
    const { contentHash } = await board.skills.get({ params });
    expect(contentHash.slice(0, 12)).toBe(log.at(-1)?.details["version"]);
  });

  test("new content is a new version of the skill; the old ones stay as they were", async () => {
    const companyId = await ground.company();
    const before = (await importFiles(companyId, { "SKILL.md": skillText("Tool", "one"), "a.txt": "old" })).imported[0];
    const after = (await importFiles(companyId, { "SKILL.md": skillText("Tool", "two") })).imported[0];
    expect(after).toMatchObject({ id: before?.id, key: "local/tool", createdAt: before?.createdAt });
    expect(after?.contentHash).not.toBe(before?.contentHash);
    const params = { skillId: before?.id ?? "" };
    const { items } = await board.skills.listVersions({ params });
    expect(items.map(({ contentHash, files }) => [contentHash, files.length])).toEqual([
      [after?.contentHash, 1],
      [before?.contentHash, 2],
    ]);
    const old = { contentHash: before?.contentHash ?? "", path: "a.txt" };
    expect(await board.skills.getFile({ params, query: old })).toMatchObject({ content: "old", bytes: 3 });
    await expect(board.skills.getFile({ params, query: { path: "a.txt" } })).rejects.toMatchObject({ status: 404 });
    expect((await ground.logOf(companyId)).at(-1)).toMatchObject({ action: "skill.updated", details: { files: 1 } });
  });

  test("content it held before becomes the present one again, without another version", async () => {
    const companyId = await ground.company();
    const contents = ["one", "two", "one"].map((text) => skillText("Tool", text));
    for (const content of contents) await importFiles(companyId, { "SKILL.md": content });
    const { items } = await board.skills.list({ params: { companyId } });
    const skillId = items[0]?.id ?? "";
    expect((await board.skills.getFile({ params: { skillId } })).content).toBe(contents[0]);
    expect(await ground.countsOf(companyId)).toEqual({ skills: 1, versions: 2, files: 2 });
    expect(await ground.logOf(companyId)).toHaveLength(3);
  });

  test("another name with the same slug is told", async () => {
    const companyId = await ground.company();
    await importFiles(companyId, { "SKILL.md": skillText("Code Review") });
    const { imported, warnings } = await importFiles(companyId, { "SKILL.md": skillText("code review!") });
    expect(imported[0]).toMatchObject({ key: "local/code-review", name: "code review!" });
    expect(warnings).toEqual(['local/code-review was called "Code Review" and is now called "code review!".']);
  });

  test("the same Idempotency-Key gives the first answer again", async () => {
    const companyId = await ground.company();
    const call = { params: { companyId }, body: { files: { "SKILL.md": skillText("x") } }, idempotencyKey: "once" };
    expect(await board.skills.import(call)).toEqual(await board.skills.import(call));
  });
});

describe("reading skills", () => {
  test("newest first, page by page, in one statement that reads no contents", async () => {
    const companyId = await ground.company();
    const names = ["a", "b", "c"];
    for (const name of names)
      await importFiles(companyId, { "SKILL.md": skillText(name), "large.txt": "x".repeat(1e6) });
    const { count } = ground.server.database.statements;
    const first = await board.skills.list({ params: { companyId }, query: { limit: 2 } });
    // The company of the path is looked up by another statement.
    expect(ground.server.database.statements.count - count).toBeLessThanOrEqual(2);
    const second = await board.skills.list({ params: { companyId }, query: { limit: 2, cursor: first.next ?? "" } });
    expect([...first.items, ...second.items].map(({ slug }) => slug)).toEqual(["c", "b", "a"]);
    expect(second.next).toBeNull();
  });

  test("by id, by key and by slug, with an ETag that a new version raises", async () => {
    const companyId = await ground.company();
    const { imported } = await importFiles(companyId, { "SKILL.md": skillText("Tool") });
    const agent = await ground.agentOf(companyId);
    const id = imported[0]?.id ?? "";
    for (const name of ["local/tool", "tool"]) {
      expect((await agent.skills.get({ params: { skillId: name } })).id).toBe(id);
      expect((await board.skills.get({ params: { skillId: name }, query: { companyId } })).id).toBe(id);
      await expect(board.skills.get({ params: { skillId: name } })).rejects.toMatchObject({ code: "not_found" });
    }
    const etag = async () => (await fetch(`${ground.server.url}/api/skills/${id}`)).headers.get("etag");
    expect(await etag()).toBe('"1"');
    await importFiles(companyId, { "SKILL.md": skillText("Tool", "two") });
    expect(await etag()).toBe('"2"');
  });

  test("what is not there is 404, what another company has is 403", async () => {
    const [companyId, elsewhere] = [await ground.company(), await ground.company()];
    const { imported } = await importFiles(elsewhere, { "SKILL.md": skillText("Tool") });
    const agent = await ground.agentOf(companyId);
    const params = { skillId: imported[0]?.id ?? "" };
    const forbidden = { status: 403, code: "other_company" };
    await expect(agent.skills.get({ params })).rejects.toMatchObject(forbidden);
    await expect(agent.skills.getFile({ params })).rejects.toMatchObject(forbidden);
    await expect(agent.skills.listVersions({ params })).rejects.toMatchObject(forbidden);
    await expect(agent.skills.list({ params: { companyId: elsewhere } })).rejects.toMatchObject(forbidden);
    for (const skillId of [crypto.randomUUID(), "tool", "local/tool"]) {
      await expect(agent.skills.get({ params: { skillId } })).rejects.toMatchObject({ code: "not_found" });
    }
    const contentHash = "0".repeat(64);
    await expect(board.skills.getFile({ params, query: { contentHash } })).rejects.toMatchObject({ status: 404 });
  });
});
