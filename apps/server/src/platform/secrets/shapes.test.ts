import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecretShape, secretShapes } from "./index.ts";

const examples = secretShapes.map(({ name, example }) => [name, example] as const);
const rest = "Zx9".repeat(30);

describe("secret shapes", () => {
  it("have names of their own", () => {
    expect(new Set(secretShapes.map(({ name }) => name)).size).toBe(secretShapes.length);
  });

  it.each(examples)("%s: the example is found, as this shape", (name, example) => {
    expect(findSecretShape(example)?.shape).toBe(name);
  });

  it.each(examples)("%s: the example is found wherever a text can hold it", (_, example) => {
    const around = [`"${example}"`, `KEY=${example}`, `(${example})`, `a\n${example}\nb`, `{"a":"b\\n${example}"}`];
    for (const text of [...around, `x%3D${example}`, `see ${example}, please`]) {
      const found = findSecretShape(text);
      expect(found, text).not.toBeNull();
      expect(example).toContain(text.slice(found?.start, found?.end).replace(/[\s\S]*BEGIN/, "BEGIN"));
    }
  });

  it("the place is that of the secret alone", () => {
    const text = "see postgres://app:hunter2@db:5432/app";
    const found = findSecretShape(text);
    expect(found?.shape).toBe("password-in-url");
    expect(text.slice(found?.start, found?.end)).toBe("hunter2");
  });

  it("the first of several is found", () => {
    const { example } = secretShapes[0] ?? { example: "" };
    expect(findSecretShape(`redis://:pw@cache and ${example}`)?.shape).toBe("password-in-url");
    expect(findSecretShape(`${example} and redis://:pw@cache`)?.start).toBe(0);
  });

  it("the same text gives the same answer again", () => {
    for (const { example } of secretShapes) expect(findSecretShape(example)).toEqual(findSecretShape(example));
  });
});

describe("texts of these shapes", () => {
  it.each([
    ["anthropic-key", `sk-ant-api03-${rest}-${rest}`],
    ["openai-key", `sk-${rest.slice(0, 48)}`],
    ["openai-key", `sk-or-v1-${"0a".repeat(32)}`],
    ["github-token", `gho_${rest.slice(0, 36)}`],
    ["slack-token", `xoxp-${"1".repeat(12)}-${rest.slice(0, 24)}`],
    ["stripe-key", `rk_test_${rest.slice(0, 24)}`],
    ["agent-key", `svk_Ab3dEf9h_${rest.slice(0, 43)}`],
    ["runner-token", `svr_${rest.slice(0, 43)}`],
    ["private-key", `-----BEGIN RSA PRIVATE KEY-----\\n${rest}\\n-----END RSA PRIVATE KEY-----`],
    ["private-key", `-----BEGIN OPENSSH PRIVATE KEY-----\n${rest}`],
    ["private-key", `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${rest}`],
    ["password-in-url", "https://user:p@ss:word@host/path"],
    ["password-in-url", "redis://:hunter2@cache:6379"],
    ["authorization-value", "authorization: basic dXNlcjpwYXNzd29yZA=="],
    ["authorization-value", "Authorization: Bearer abcDEF123.456-789_0"],
    ["aws-secret-access-key", `"secretAccessKey": "${rest.slice(0, 20)}/${rest.slice(0, 19)}"`],
  ])("%s: %s", (name, text) => {
    expect(findSecretShape(text)?.shape).toBe(name);
  });
});

describe("texts that only resemble one", () => {
  it.each([
    "task-management-for-a-whole-company-of-agents",
    "disk-proj-usage-report-for-the-year-2024-and-2025",
    "sk-learn and sk-ant are names of packages",
    "npm_config_registry and npm_lifecycle_event",
    "svk_Ab3dEf9h is the public part of a key",
    "Basic requirements, Bearer authentication, basic internationalization",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $ROSTER_TOKEN",
    "Authorization: Bearer YOUR_API_KEY_GOES_HERE",
    "A PEM file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
    "-----BEGIN CERTIFICATE-----",
    `-----BEGIN PUBLIC KEY-----\n${rest}\n-----END PUBLIC KEY-----`,
    "https://example.com:8443/a@b?c=d:e@f",
    '{"url":"http://localhost:3100","email":"bob@example.com"}',
    "http://a:80,bob@example.com",
    "git@github.com:owner/repo.git",
    "ssh://git@github.com:22/owner/repo.git",
    ["postgres://app:$", "{PASSWORD}@db/app"].join(""),
    "postgres://app:$PASSWORD@db/app",
    "postgres://app:{{password}}@db/app",
    "postgres://app:****@db/app",
    "postgres://app:[redacted]@db/app",
    "eyJhbGciOiJIUzI1NiJ9 is the header of a token",
    "AKIA is how the id of a key starts",
    "xoxo, and see you tomorrow",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "",
  ])("%s", (text) => {
    expect(findSecretShape(text)).toBeNull();
  });

  it("words in any number and order", () => {
    const word = fc.constantFrom("the", "task-list", "of", "a_b_c", "Agent.md", "https://example.com/x", "1.2.3", "\n");
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(findSecretShape(words.join(" "))).toBeNull();
      }),
    );
  });
});
