import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SkillGround, skillText, startSkillGround } from "../../../test/skill-ground.ts";
import { noCause, type Scope } from "../../platform/scope.ts";
import { resolveSkills, skillVersionsOf } from "./index.ts";

let ground: SkillGround;
let companyId: string;
let scope: Scope;
beforeAll(async () => {
  ground = await startSkillGround();
  companyId = await ground.company();
  scope = scopeOf(companyId);
  await importSkill(companyId, "Greet");
  await importSkill(companyId, "Deploy");
});
afterAll(() => ground.server.close());

const scopeOf = (company: string): Scope => ({
  companyId: company,
  caller: { kind: "system" },
  cause: noCause,
  db: ground.server.database.reader,
  now: new Date(),
  requestId: "test",
});

async function importSkill(company: string, name: string, text = "Do it.") {
  const body = { files: { "SKILL.md": skillText(name, text) } };
  const { imported } = await ground.board.skills.import({ params: { companyId: company }, body });
  return imported[0] ?? expect.fail("nothing was imported");
}

/** As a repository would bring it: the same slug under another key. */
async function addNamesake(company: string, key: string): Promise<void> {
  await ground.server.database.driver`
    with twin as (
      insert into skills select company_id, gen_random_uuid(), ${key}, slug, name, description, source_type,
        source_locator, source_ref, content_hash, version, created_at, updated_at
      from skills where company_id = ${company} and slug = 'greet' returning *)
    insert into skill_versions (company_id, id, skill_id, content_hash, files, created_at)
    select company_id, gen_random_uuid(), id, content_hash, '[]', created_at from twin`;
}

describe("names of skills are resolved", () => {
  test("by id, key and slug, in the order given, each skill once, in one statement", async () => {
    const greet = await importSkill(companyId, "Greet");
    const { count } = ground.server.database.statements;
    const found = await resolveSkills(scope, ["deploy", greet.id.toUpperCase(), "local/greet", "local/deploy"]);
    expect(ground.server.database.statements.count - count).toBe(1);
    expect(found.map(({ key }) => key)).toEqual(["local/deploy", "local/greet"]);
    expect(found[1]?.contentHash).toBe(greet.contentHash);
    const { items } = await ground.board.skills.listVersions({ params: { skillId: greet.id } });
    expect(found[1]?.versionId).toBe(items[0]?.id);
    expect(await resolveSkills(scope, [])).toEqual([]);
  });

  test("to their present versions", async () => {
    const before = await resolveSkills(scope, ["deploy"]);
    const { contentHash } = await importSkill(companyId, "Deploy", "Otherwise.");
    const after = await resolveSkills(scope, ["deploy"]);
    expect(after).toMatchObject([{ key: "local/deploy", contentHash }]);
    expect(after[0]?.versionId).not.toBe(before[0]?.versionId);
    const versions = await skillVersionsOf(scope, ["local/deploy", "local/gone"]);
    expect([...versions]).toEqual([["local/deploy", contentHash]]);
  });
});

describe("names that mean no skill are refused", () => {
  test("unknown ones together, with the place and the nearest key", async () => {
    await expect(resolveSkills(scope, ["gret", "greet", "local/deplyo"], "skills")).rejects.toMatchObject({
      code: "unknown_skill",
      details: [
        { path: "skills.0", nearest: "local/greet" },
        { path: "skills.2", nearest: "local/deploy" },
      ],
    });
  });

  test("without a nearest one where the company has none", async () => {
    const refused = resolveSkills(scopeOf(await ground.company()), ["greet"]);
    await expect(refused).rejects.toMatchObject({ code: "unknown_skill", details: [{ path: "desiredSkills.0" }] });
  });

  test("a slug that several skills have, with their keys; the key still works", async () => {
    const company = await ground.company();
    await importSkill(company, "Greet");
    await addNamesake(company, "acme/tools/greet");
    await expect(resolveSkills(scopeOf(company), ["greet"])).rejects.toMatchObject({
      code: "ambiguous_skill",
      details: [{ path: "desiredSkills.0", allowed: expect.arrayContaining(["acme/tools/greet", "local/greet"]) }],
    });
    expect(await resolveSkills(scopeOf(company), ["acme/tools/greet"])).toMatchObject([{ key: "acme/tools/greet" }]);
    const byslug = ground.board.skills.get({ params: { skillId: "greet" }, query: { companyId: company } });
    await expect(byslug).rejects.toMatchObject({ code: "not_found" });
  });

  test("an id of another company, and one of nobody, as missing at its place", async () => {
    const foreign = await importSkill(await ground.company(), "Greet");
    for (const id of [foreign.id, crypto.randomUUID()]) {
      const missing = { name: "Missing", kind: "skill", id, path: "desiredSkills.1" };
      await expect(resolveSkills(scope, ["greet", id, "unknown"])).rejects.toMatchObject(missing);
    }
  });
});

test("the database refuses a skill whose present version another company or skill has", async () => {
  const elsewhere = await ground.company();
  const greet = await importSkill(elsewhere, "Greet", "Elsewhere.");
  const moved = ground.server.database.driver`
    update skills set content_hash = ${greet.contentHash} where company_id = ${companyId}`;
  await expect(moved).rejects.toMatchObject({ constraint_name: "skills_present_version" });
});
