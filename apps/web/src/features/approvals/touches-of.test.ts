import { expect, test } from "vitest";
import { touchesOf } from "./touches-of.ts";

const none = { canCreateAgents: false, canManageSkills: false, canAssignTasks: false };
const schema = { properties: { dangerouslySkip: { default: true, description: "Runs all." }, model: {} } };
const graveOf = (...given: Parameters<typeof touchesOf>): string[] =>
  touchesOf(...given).flatMap(({ what, isGrave }) => (isGrave ? [what] : []));

test("an agent that may nothing beyond its issues and has a folder of its own is nothing to look at", () => {
  expect(graveOf({ permissions: none, adapterConfig: {} }, {}, new Map())).toEqual([]);
});

test("what must not be overlooked: permissions, a folder of the machine, tools that nobody holds back, secrets by name", () => {
  const env = { TOKEN: { type: "secret_ref", secretId: "s1", version: "latest" }, LANG: "C" };
  const adapterConfig = { cwd: "/srv", env };
  const permissions = { canCreateAgents: true, canManageSkills: true, canAssignTasks: true };
  expect(graveOf({ permissions, adapterConfig }, schema, new Map([["s1", "github"]]))).toEqual([
    "Imports skills, and syncs those of others",
    "Hires without asking, where the company asks for no approval",
    "The folder /srv of the runner's machine",
    "Is not held back: dangerouslySkip",
    "The secret github",
  ]);
});

test("what is held back by its settings is not said to be dangerous", () => {
  expect(graveOf({ permissions: none, adapterConfig: { dangerouslySkip: false } }, schema, new Map())).toEqual([]);
});

test("no value of a variable is among what is told", () => {
  const adapterConfig = { env: { KEY: { type: "plain", value: "hunter2" }, OTHER: "hunter2" } };
  expect(JSON.stringify(touchesOf({ permissions: none, adapterConfig }, {}, new Map()))).not.toContain("hunter2");
});
