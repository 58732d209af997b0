import { expect, test } from "vitest";
import { settingKind, settingsIn } from "./setting-kind.ts";

test.each([
  [{ type: "boolean", default: true }, "switch"],
  [{ type: "string", enum: ["low", "high"] }, "choice"],
  [{ type: "integer" }, "number"],
  [{ type: "string", maxLength: 200 }, "line"],
  [{ type: "string" }, "line"],
  [{ type: "string", maxLength: 65_536 }, "text"],
  [{ type: "array", items: { type: "string" } }, "lines"],
  [{ type: "array", items: { type: "object" } }, "json"],
  [{ type: "object" }, "json"],
  [{}, "json"],
] as const)("a setting of the schema %o is filled in as %s", (schema, kind) => {
  expect(settingKind(schema)).toBe(kind);
});

test("what an adapter cannot do without comes first, and env is left to its own field", () => {
  const properties = { cwd: { type: "string" }, env: { type: "object" }, command: { type: "string" } };
  expect(settingsIn({ properties, required: ["command"] }).map(([name]) => name)).toEqual(["command", "cwd"]);
  expect(settingsIn({})).toEqual([]);
});
