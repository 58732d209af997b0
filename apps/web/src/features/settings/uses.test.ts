import type { Configuration } from "@roster/client";
import { expect, test } from "vitest";
import { usesOfSecrets, usesOfSkill } from "./uses.ts";

// Only what is looked at.
const configuration = (name: string, parts: object): Configuration =>
  ({ agentId: `id of ${name}`, name, adapterConfig: {}, skills: [], ...parts }) as unknown as Configuration;
const ref = (secretId: string) => ({ type: "secret_ref", secretId, version: "latest" });

test("a secret is used by every agent that refers to it anywhere, each once", () => {
  const ada = configuration("Ada", { adapterConfig: { env: { A: ref("s1"), B: ref("s1"), C: ref("s2") } } });
  const bob = configuration("Bob", { adapterConfig: { mcp: [{ headers: { key: ref("s2") } }], type: "secret_ref" } });
  const uses = usesOfSecrets([ada, bob]);
  expect(uses.get("s1")).toEqual([{ agentId: "id of Ada", name: "Ada" }]);
  expect(uses.get("s2")?.map(({ name }) => name)).toEqual(["Ada", "Bob"]);
  expect(uses.size).toBe(2);
});

test("a skill is used by the agents that have it, and an older version is told", () => {
  const ada = configuration("Ada", { skills: [{ key: "local/review", contentHash: "new" }] });
  const bob = configuration("Bob", { skills: [{ key: "local/review", contentHash: "old" }] });
  const uses = usesOfSkill([ada, bob, configuration("Cid", {})], { key: "local/review", contentHash: "new" });
  expect(uses.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
    ["Ada", true],
    ["Bob", false],
  ]);
});
