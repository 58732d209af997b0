import type { JsonObject } from "@roster/contract";
import { expect, test } from "vitest";
import { mergedSettings } from "./merge-settings.ts";

const pinned = { type: "secret_ref", secretId: "01890000-0000-7000-8000-000000000000", version: 1 };
const present: JsonObject = { cwd: "/srv", env: { TOKEN: pinned, REGION: { type: "plain", value: "eu" }, MODE: "a" } };
const entries = (changed: JsonObject): JsonObject => ({
  cwd: "/srv",
  env: { ...(present["env"] as JsonObject), ...changed },
});

test.each<[string, JsonObject, JsonObject]>([
  ["a text replaces a reference", { TOKEN: "new" }, { TOKEN: "new" }],
  [
    "a text spelled out replaces a reference",
    { TOKEN: { type: "plain", value: "new" } },
    { TOKEN: { type: "plain", value: "new" } },
  ],
  ["a reference replaces a text", { REGION: pinned }, { REGION: pinned }],
  ["a reference replaces a bare text", { MODE: pinned }, { MODE: pinned }],
  ["a part of the same form merges", { TOKEN: { version: 2 } }, { TOKEN: { ...pinned, version: 2 } }],
  ["the same form merges", { TOKEN: { type: "secret_ref", version: 2 } }, { TOKEN: { ...pinned, version: 2 } }],
  ["a new entry is added", { OTHER: pinned }, { OTHER: pinned }],
])("in env, %s", (_, env, changed) => {
  expect(mergedSettings(present, { env })).toEqual(entries(changed));
});

test("null removes an entry, and outside env everything merges", () => {
  const patch = { cwd: null, env: { TOKEN: null, REGION: null, MODE: null }, runner: { type: "x" } };
  expect(mergedSettings({ ...present, runner: { labels: [] } }, patch)).toEqual({
    env: {},
    runner: { labels: [], type: "x" },
  });
});
