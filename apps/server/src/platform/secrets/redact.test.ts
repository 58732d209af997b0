import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecretShape, type Json, type JsonObject, REDACTED, redact, redactText, secretShapes } from "./index.ts";

const examples = secretShapes.map(({ example }) => example);
// Of an example like `Bearer …` only the second part is the secret.
const secretIn = (text: string): string => {
  const found = findSecretShape(text);
  return text.slice(found?.start, found?.end);
};
const { example: token } = secretShapes[0] ?? { example: "" };
const random = "q8Zt3LmX0vB7nRkW5yHc2JfA9sDpEgUu";
const reference = { type: "secret_ref", secretId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", version: "latest" };

describe("redact", () => {
  const cases: [string, JsonObject, JsonObject][] = [
    ["by name", { password: "hunter2", user: "bob" }, { password: REDACTED, user: "bob" }],
    ["by name, a number", { pin: 1, password: 1234 }, { pin: 1, password: REDACTED }],
    ["by name, not a switch", { password: true, secret: null }, { password: true, secret: null }],
    [
      "by name, a list",
      { apiKeys: [1], tokens: ["a"], secrets: ["a", "b"] },
      {
        apiKeys: [REDACTED],
        tokens: ["a"],
        secrets: [REDACTED, REDACTED],
      },
    ],
    [
      "by name, an object",
      { credentials: { username: "bob", value: "x", on: true } },
      {
        credentials: { username: "bob", value: REDACTED, on: true },
      },
    ],
    ["by form, anywhere", { a: [{ b: `use ${token}` }] }, { a: [{ b: REDACTED }] }],
    ["random, in env only", { env: { VALUE: random }, note: random }, { env: { VALUE: REDACTED }, note: random }],
    [
      "env, plain",
      { env: { VALUE: { type: "plain", value: random } } },
      {
        env: { VALUE: { type: "plain", value: REDACTED } },
      },
    ],
    [
      "env, plain, by name",
      { env: { DB_PASSWORD: { type: "plain", value: "x" } } },
      {
        env: { DB_PASSWORD: { type: "plain", value: REDACTED } },
      },
    ],
    ["env, reference", { env: { DB_PASSWORD: reference } }, { env: { DB_PASSWORD: reference } }],
    ["env, ordinary", { env: { LANG: "C", N: 1 } }, { env: { LANG: "C", N: 1 } }],
    [
      "a header",
      { headers: { Authorization: "anything", Accept: "*/*" } },
      {
        headers: { Authorization: REDACTED, Accept: "*/*" },
      },
    ],
  ];
  it.each(cases)("%s", (_, value, expected) => {
    expect(redact(value)).toEqual(expected);
  });

  it("a key __proto__ is a key like others", () => {
    const value = JSON.parse('{"__proto__":{"password":"x"},"a":1}') as JsonObject;
    expect(JSON.stringify(redact(value))).toBe('{"__proto__":{"password":"[redacted]"},"a":1}');
  });

  it("what is too deep is redacted, however deep", () => {
    const deep = JSON.parse(`${"[".repeat(200_000)}"${token}"${"]".repeat(200_000)}`) as Json;
    expect(JSON.stringify(redact({ deep }))).toMatch(/^\{"deep":\[{499}"\[redacted\]"\]{499}\}$/);
  });

  it("no planted secret remains, the rest does, and redacting twice changes nothing", () => {
    const planted = fc.constantFrom(...examples);
    const value = fc.jsonValue({ stringUnit: "grapheme" });
    fc.assert(
      fc.property(value, planted, fc.string(), (json, secret, name) => {
        const config = {
          json,
          list: [{ [`x${name}`]: secret }],
          env: { A: { type: "plain", value: secret } },
        } as JsonObject;
        const before = JSON.stringify(config);
        const shown = redact(config);
        expect(JSON.stringify(shown)).not.toContain(JSON.stringify(secretIn(secret)).slice(1, -1));
        expect(JSON.stringify(config)).toBe(before);
        expect(Object.keys(shown)).toEqual(Object.keys(config));
        expect(redact(shown)).toEqual(shown);
      }),
    );
  });
});

describe("redactText", () => {
  it.each([
    [`failed with ${token}.`, "failed with [redacted]."],
    ["connect postgres://app:hunter2@db:5432 refused", "connect postgres://app:[redacted]@db:5432 refused"],
    ["GET /?token=abc&page=2", "GET /?token=[redacted]&page=2"],
    ["DB_PASSWORD=hunter2 LANG=C", "DB_PASSWORD=[redacted] LANG=C"],
    ['SECRET="two words" x', "SECRET=[redacted] x"],
    ['{"apiKey":"a\\"b","user":"bob"}', '{"apiKey":"[redacted]","user":"bob"}'],
    ["authorization: Bearer abc123def456ghi", "authorization: Bearer [redacted]"],
    ["Unexpected token: }", "Unexpected token: }"],
    ["max_tokens=4096", "max_tokens=4096"],
    ["nothing here", "nothing here"],
    ["", ""],
  ])("%s", (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  // Of single words, and not inside a URL: without a secret that held spaces, quotes or slashes, what is around it may
  // read as something else.
  const words = examples.filter((example) => !/\s/.test(example));
  const noise = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom("password=", "sk-", "eyJ", "@", ".", "-", "_", "'", "\\n", "%3D", " ", "AKIA"),
    fc.constantFrom("Bearer ", "Basic ", "-----BEGIN PRIVATE KEY-----", REDACTED, "[", "]", "\n", "SK", ":AA", "0"),
    fc.string().filter((text) => !text.includes('"')),
  );

  it("no secret between spaces remains", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...examples), fc.string(), (before, secret, after) => {
        expect(redactText(`${before} ${secret} ${after}`)).not.toContain(secretIn(secret));
      }),
    );
  });

  it("nothing of a secret shape remains in any mixture, and redacting twice changes nothing", () => {
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 12 }), (parts) => {
        const text = redactText(parts.join(""));
        expect(findSecretShape(text)).toBeNull();
        expect(redactText(text)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
