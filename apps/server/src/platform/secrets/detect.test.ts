import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { looksSecret, REDACTED, secretShapes } from "./index.ts";

const base64 = "q8Zt3LmX0vB7nRkW5yHc2JfA9sDpEgUu";
const hex = "9f86d081884c7d659a2feaa0c55ad015";
const commit = "4f0b1c9d7a3e5f2b8c6d0e1a9b7c5d3e1f2a4b6c";

describe("names of fields", () => {
  it.each([
    "PASSWORD",
    "DB_PASSWORD",
    "PGPASSWORD",
    "DB_PASS",
    "MYSQL_PWD",
    "GITHUB_TOKEN",
    "authToken",
    "token",
    "CLIENT_SECRET",
    "SECRET_KEY_BASE",
    "OPENAI_API_KEY",
    "OPENAI_API_KEY_2",
    "apiKey",
    "APIKey",
    "apikey",
    "x-api-key",
    "AWS_SECRET_ACCESS_KEY",
    "privateKey",
    "Authorization",
    "Set-Cookie",
    "GOOGLE_CREDENTIALS",
    "passphrase",
    "smtp.password",
  ])("%s holds a secret, in env and outside", (name) => {
    expect(looksSecret({ name, value: "hunter2", inEnv: true })).toBe(true);
    expect(looksSecret({ name, value: "hunter2", inEnv: false })).toBe(true);
  });

  it.each([
    "MAX_TOKENS",
    "maxToken",
    "inputTokens",
    "TOKENIZERS_PARALLELISM",
    "tokenUrl",
    "TOKEN_EXPIRES_AT",
    "PASSWORD_FILE",
    "passwordMinLength",
    "secretId",
    "secretName",
    "API_KEY_HEADER",
    "PRIMARY_KEY",
    "sortKey",
    "CACHE_KEY",
    "keyboard",
    "monkey",
    "COMPASS",
    "BYPASS",
    "author",
    "secretary",
    "passenger",
    "name",
    "",
  ])("%s does not", (name) => {
    expect(looksSecret({ name, value: "plain text", inEnv: true })).toBe(false);
  });

  it.each(["true", "False", "no", "off", "none", "0", "1", "", REDACTED, "/run/secrets/db", "~/.ssh/id_rsa"])(
    "a field for a password whose value is %j hides nothing",
    (value) => {
      expect(looksSecret({ name: "DB_PASSWORD", value, inEnv: true })).toBe(false);
    },
  );

  it("a password may start with a slash", () => {
    for (const value of ["/x", "/Xy.9/aB3", `/q8Zt3LmX0vB7nRkW5/yHc2JfA9sDpEgUu`]) {
      expect(looksSecret({ name: "DB_PASSWORD", value, inEnv: true })).toBe(true);
    }
  });
});

describe("values", () => {
  it.each(secretShapes.map(({ name, example }) => [name, example] as const))("%s is hidden anywhere", (_, value) => {
    expect(looksSecret({ name: "note", value, inEnv: false })).toBe(true);
    expect(looksSecret({ name: "GIT_COMMIT", value: `see ${value}`, inEnv: true })).toBe(true);
  });

  it.each([
    base64,
    hex,
    hex + hex,
    `${base64.slice(0, 21)}==`,
    `prefix:${base64}`,
    `a, ${base64}`,
    base64.toLowerCase(),
  ])("%s looks random: hidden in env, not outside", (value) => {
    expect(looksSecret({ name: "VALUE", value, inEnv: true })).toBe(true);
    expect(looksSecret({ name: "VALUE", value, inEnv: false })).toBe(false);
  });

  it("nearly every random text of 32 bytes is hidden in env", () => {
    const encodings = ["base64", "base64url", "hex"] as const;
    const values = encodings.flatMap((encoding) =>
      Array.from({ length: 500 }, () => randomBytes(32).toString(encoding)),
    );
    const hidden = values.filter((value) => looksSecret({ name: "VALUE", value, inEnv: true }));
    expect(hidden.length).toBeGreaterThan(values.length * 0.97);
  });

  it.each([
    "GIT_COMMIT",
    "SOURCE_VERSION",
    "CI_COMMIT_REF",
    "ACCOUNT_ID",
    "IMAGE_DIGEST",
    "checksum",
    "SSH_PUBLIC_KEY",
  ])("%s may look random", (name) => {
    for (const value of [commit, hex, hex + hex, base64]) expect(looksSecret({ name, value, inEnv: true })).toBe(false);
  });
});

describe("ordinary values of env", () => {
  it.each([
    "/usr/local/share/applications/roster/config.production.json",
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "/nix/store/0c7h1pq2xk9w3v5z8y6r4n2m1l0j9i8g-bash-5.2/bin/bash",
    "C:\\Program Files\\Roster\\config.production.json",
    "node_modules/.bin/some-quite-long-command-name",
    "https://api.example.com/v1/organizations/production/settings?limit=100&order=desc",
    "http://localhost:3100",
    "postgres://app@db.internal.example.com:5432/roster_production",
    "https://example.com/0c7h1pq2xk9w3v5z8y6r4n2m1l0j9i8g",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301,7d444840-9dc0-11d1-b245-5ffdce74fad2",
    "claude-3-5-sonnet-20241022",
    "us.anthropic.claude-3-7-sonnet-20250219-v1:0",
    "accounts/fireworks/models/llama-v3p1-405b-instruct",
    "meta-llama/Llama-3.1-70B-Instruct",
    "gpt-4o-mini-2024-07-18",
    "4f0b1c9d7a3e5f2b8c6d0e1a9b7c5d3e1f2a4b6c",
    "ghcr.io/owner/image@sha256:9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
    "1.22.333-beta.4+build.20240101.sha.5114f85",
    "v0.0.0-20240101120000-5114f85a1b2c",
    "You are a careful engineer. Answer in English, with 3 examples.",
    "12345678901234567890123456789012",
    "3.14159265358979323846264338327950288",
    "2026-11-20T20:40:00.000Z",
    "true",
    "en_US.UTF-8",
    "alpha,beta,gamma,delta,epsilon,zeta,eta,theta",
    "ec2-203-0-113-25.compute-1.amazonaws.com",
    "someone.with.a.long.name@subdomain.example.com",
    "--max-old-space-size=4096 --enable-source-maps",
    "AbstractSingletonProxyFactoryBeanDefinition2",
    "THIS_IS_A_LONG_CONSTANT_NAME_WITH_2_NUMBERS",
    "Europe/Berlin",
    '{"level":"info","format":"json","fields":["time","message"]}',
    "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ3rT9v0Xq2W5yHc2JfA9sDpEgUu8Zt3LmX0vB7nRkW someone@host",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ8Zt3LmX0vB7nRkW5yHc2JfA9sD\n-----END CERTIFICATE-----",
  ])("%s", (value) => {
    expect(looksSecret({ name: "VALUE", value, inEnv: true })).toBe(false);
  });

  it("numbers, whatever they are", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double(), fc.bigInt()), (value) => {
        expect(looksSecret({ name: "VALUE", value: String(value), inEnv: true })).toBe(false);
      }),
    );
  });
});

describe("looksSecret", () => {
  it("answers for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), fc.boolean(), (name, value, inEnv) => {
        expect(typeof looksSecret({ name, value, inEnv })).toBe("boolean");
      }),
    );
  });
});
