import { env } from "@roster/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { commonSettings, defineAdapter, knownSettings, runEnvironment, unknownSettings } from "./index.ts";

const secretId = "01890000-0000-7000-8000-000000000000";

function refusal(config: unknown): { path: string; message: string } | null {
  const issue = commonSettings.safeParse(config).error?.issues[0];
  return issue ? { path: issue.path.join("."), message: issue.message } : null;
}

describe("common settings", () => {
  it("apply the documented limits when nothing is set", () => {
    expect(commonSettings.parse({})).toEqual({
      env: {},
      timeoutSec: 14_400,
      graceSec: 10,
      startTimeoutSec: 60,
      silenceTimeoutSec: 1800,
    });
  });

  it("keep keys they do not know", () => {
    const config = { unheardOf: { deep: [1] }, runner: { labels: ["gpu"], zone: "eu" } };
    expect(commonSettings.parse(config)).toMatchObject(config);
  });

  it("take environment values in all three forms", () => {
    const entries = {
      PLAIN_TEXT: "a",
      _spelled2: { type: "plain", value: "b" },
      SECRET: { type: "secret_ref", secretId, version: 3 },
      LATEST: { type: "secret_ref", secretId },
    };
    const parsed = commonSettings.parse({ env: entries });
    expect(parsed.env).toMatchObject(entries);
    expect(parsed.env.LATEST).toMatchObject({ version: "latest" });
  });

  it.each([
    [{ cwd: "relative/path" }, "cwd", "absolute"],
    [{ cwd: "/a\u0000b" }, "cwd", "NUL"],
    [{ model: "" }, "model", "character"],
    [{ timeoutSec: 0 }, "timeoutSec", "leave it out"],
    [{ timeoutSec: 1.5 }, "timeoutSec", "int"],
    [{ timeoutSec: 604_801 }, "timeoutSec", "604800"],
    [{ graceSec: -1 }, "graceSec", "at least 0"],
    [{ env: { [env("API_KEY")]: "x" } }, `env.${env("API_KEY")}`, "set by the service"],
    [{ env: { "A-B": "x" } }, "env.A-B", "letters"],
    [{ env: { "1A": "x" } }, "env.1A", "digit"],
    [{ env: { A: 1 } }, "env.A", "secret_ref"],
    [{ env: { A: "x\u0000" } }, "env.A", "NUL"],
    [{ env: { A: { type: "secret_ref", secretId: "nope" } } }, "env.A.secretId", "UUID"],
    [{ env: { A: { type: "secret_ref", secretId, version: 0 } } }, "env.A.version", ">=1"],
    [{ env: { A: { type: "plain", text: "x" } } }, "env.A", "secret_ref"],
    [{ env: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`A${n}`, ""])) }, "env", "at most 200"],
    [{ runner: { labels: ["has space"] } }, "runner.labels.0", "pattern"],
    [{ runner: { labels: "gpu" } }, "runner.labels", "array"],
  ])("refuse %j at its path and say what would be right", (config, path, words) => {
    expect(refusal(config)).toEqual({ path, message: expect.stringContaining(words) });
  });
});

describe("unknown settings", () => {
  const spec = { settings: commonSettings };

  it("are named with their place", () => {
    expect(unknownSettings(spec, { cwd: "/a", modle: "x", runner: { lables: [] }, constructor: 1 })).toEqual([
      "modle",
      "runner.lables",
      "constructor",
    ]);
  });

  it("do not include names a person chooses", () => {
    expect(unknownSettings(spec, { env: { ANY_NAME: "x" } })).toEqual([]);
  });

  it("are compared with the names that exist", () => {
    expect(knownSettings(spec)).toEqual([...Object.keys(commonSettings.shape), "runner.labels"]);
  });
});

describe("an adapter's declaration", () => {
  const spec = { type: "fake", title: "Fake", description: "Fake.", settings: commonSettings, notes: [] };

  it("is refused when its example is not one", () => {
    expect(() => defineAdapter({ ...spec, example: { timeoutSec: "long" } })).toThrow(/timeoutSec/);
    expect(() => defineAdapter({ ...spec, example: { timeout: 5 } })).toThrow(/unknown keys: timeout/);
    expect(() => defineAdapter({ ...spec, type: "Fake-Local", example: {} })).toThrow(/Fake-Local/);
  });

  it("keeps the type of its settings", () => {
    const settings = commonSettings.extend({ colour: z.enum(["red"]) });
    const declared = defineAdapter({ ...spec, settings, example: { colour: "red" } });
    const colour: "red" = declared.settings.parse(declared.example).colour;
    expect(colour).toBe("red");
  });
});

it("every variable of a run carries the service's prefix", () => {
  for (const variable of runEnvironment) expect(variable.name.startsWith(env(""))).toBe(true);
});
