import { afterAll, beforeAll, expect, test } from "vitest";
import { type SkillGround, skillText, startSkillGround } from "../../../test/skill-ground.ts";

let ground: SkillGround;
let companyId: string;
beforeAll(async () => {
  ground = await startSkillGround();
  companyId = await ground.company();
  for (const name of ["One", "Two", "Three"]) {
    const body = { files: { "SKILL.md": skillText(name) } };
    await ground.board.skills.import({ params: { companyId }, body });
  }
});
afterAll(() => ground.server.close());

const agent = async (): Promise<string> => {
  const body = { name: "Ada", adapterType: "process", adapterConfig: { command: "true" } };
  return (await ground.board.agents.create({ params: { companyId }, body })).id;
};

test("replace, add and remove do what they say, replace where nothing is said; each difference is a revision", async () => {
  const agentId = await agent();
  const sync = async (desiredSkills: string[], mode?: "replace" | "add" | "remove") => {
    const body = { desiredSkills, ...(mode !== undefined && { mode }) };
    return (await ground.board.configurations.syncSkills({ params: { agentId }, body })).desiredSkills;
  };
  expect(await sync(["one", "two"])).toEqual(["local/one", "local/two"]);
  expect(await sync(["three", "one"], "add")).toEqual(["local/two", "local/three", "local/one"]);
  expect(await sync(["two"], "remove")).toEqual(["local/three", "local/one"]);
  expect(await sync(["two"], "remove")).toEqual(["local/three", "local/one"]);
  expect(await sync(["two"], "replace")).toEqual(["local/two"]);
  expect(await sync([])).toEqual([]);
  const { items } = await ground.board.configurations.listRevisions({ params: { agentId } });
  expect(items.map(({ source }) => source)).toEqual([...Array.from({ length: 5 }, () => "skills_sync"), "create"]);
  const refused = ground.board.configurations.syncSkills({ params: { agentId }, body: { desiredSkills: ["tw"] } });
  await expect(refused).rejects.toMatchObject({ code: "unknown_skill", details: [{ nearest: "local/two" }] });
});

test("an agent syncs its own skills, and those of others only with canManageSkills", async () => {
  const other = { params: { agentId: await agent() }, body: { desiredSkills: ["one"] } };
  const plain = await ground.agentOf(companyId);
  const { id: agentId } = await plain.agents.me();
  const own = await plain.configurations.syncSkills({ params: { agentId }, body: { desiredSkills: ["one"] } });
  expect(own).toMatchObject({ desiredSkills: ["local/one"], skills: [{ key: "local/one", state: "synced" }] });
  await expect(plain.configurations.syncSkills(other)).rejects.toMatchObject({ status: 403, code: "forbidden" });
  const librarian = await ground.agentOf(companyId, { canManageSkills: true });
  expect((await librarian.configurations.syncSkills(other)).desiredSkills).toEqual(["local/one"]);
});
