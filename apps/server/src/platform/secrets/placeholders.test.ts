import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, REDACTED, redact, restorePlaceholders, secretShapes } from "./index.ts";

const { example: token } = secretShapes[0] ?? { example: "" };
const stored: JsonObject = {
  model: "m",
  env: { A_TOKEN: "one", B: { type: "plain", value: token }, LANG: "C" },
  args: ["--key", token],
  nested: [{ password: "x" }],
};

describe("a placeholder that stands for what was read", () => {
  const cases: [string, JsonObject, JsonObject][] = [
    ["a member", { env: { A_TOKEN: REDACTED } }, { env: { A_TOKEN: "one" } }],
    [
      "a member, others changed",
      { model: "n", env: { A_TOKEN: REDACTED, LANG: null } },
      {
        model: "n",
        env: { A_TOKEN: "one", LANG: null },
      },
    ],
    [
      "the value of a plain entry",
      { env: { B: { type: "plain", value: REDACTED } } },
      {
        env: { B: { type: "plain", value: token } },
      },
    ],
    ["an array as it was read", { args: ["--key", REDACTED] }, { args: ["--key", token] }],
    ["an array of objects as it was read", { nested: [{ password: REDACTED }] }, { nested: [{ password: "x" }] }],
    ["none at all", { args: ["a"], env: { A_TOKEN: "two" } }, { args: ["a"], env: { A_TOKEN: "two" } }],
  ];
  it.each(cases)("%s", (_, patch, value) => {
    expect(restorePlaceholders(stored, patch)).toEqual({ ok: true, value });
  });

  it("a whole configuration as it was read is the stored one", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (config, secret) => {
        const before = {
          ...config,
          env: { ...config, A_TOKEN: secret },
          list: [{ password: secret }, token],
        } as JsonObject;
        expect(restorePlaceholders(before, redact(before))).toEqual({ ok: true, value: before });
      }),
    );
  });
});

describe("a placeholder that stands for nothing", () => {
  const cases: [string, JsonObject | undefined, JsonObject, string][] = [
    ["a creation", undefined, { env: { A: REDACTED } }, "env.A"],
    ["a creation, in a list", undefined, { args: ["a", { b: REDACTED }] }, "args.1.b"],
    ["a new path", stored, { env: { C: REDACTED } }, "env.C"],
    ["a moved value", stored, { a: { A_TOKEN: REDACTED } }, "a.A_TOKEN"],
    ["a value that can be read", stored, { model: REDACTED }, "model"],
    ["an entry of which a part can be read", stored, { env: { B: REDACTED } }, "env.B"],
    ["an array that was changed", stored, { args: ["--other", REDACTED] }, "args.1"],
    ["an array that was turned", stored, { args: [REDACTED, "--key"] }, "args.0"],
    ["an array that is longer", stored, { args: ["--key", REDACTED, REDACTED] }, "args.1"],
    ["an array at a new path", stored, { more: ["--key", REDACTED] }, "more.1"],
    ["an object that is an array", stored, { args: { 1: REDACTED } }, "args.1"],
    ["a name of the language", stored, { constructor: REDACTED }, "constructor"],
    ["a name of the language below env", stored, { env: { toString: REDACTED } }, "env.toString"],
  ];
  it.each(cases)("%s", (_, before, patch, path) => {
    expect(restorePlaceholders(before, patch)).toEqual({ ok: false, code: "redacted_placeholder", path });
  });

  it("is refused however deep", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}"${REDACTED}"${"}".repeat(100_000)}`) as JsonObject;
    expect(restorePlaceholders(deep, deep).ok).toBe(false);
    const list = JSON.parse(`${"[".repeat(100_000)}"${REDACTED}"${"]".repeat(100_000)}`) as Json;
    expect(restorePlaceholders(undefined, { list }).ok).toBe(false);
  });
});

describe("restorePlaceholders", () => {
  const key = fc.constantFrom("a", "env", "password", "list", "__proto__");
  const leaf = fc.constantFrom<Json>(REDACTED, "x", token, 1, true, null);
  const tree = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
    value: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
    object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  })).object;

  it("never lets a placeholder through that is not stored, and changes neither side", () => {
    fc.assert(
      fc.property(tree, tree, (before, patch) => {
        const [first, second] = [JSON.stringify(before), JSON.stringify(patch)];
        const restored = restorePlaceholders(before, patch);
        if (restored.ok && JSON.stringify(restored.value).includes(REDACTED)) expect(first).toContain(REDACTED);
        if (!second.includes(REDACTED)) expect(restored).toEqual({ ok: true, value: patch });
        expect([JSON.stringify(before), JSON.stringify(patch)]).toEqual([first, second]);
      }),
    );
  });
});
