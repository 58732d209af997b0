import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findSecretShape, looksSecret, redact, redactText, secretShapes } from "../src/platform/secrets/index.ts";
import { knownSecrets } from "./canary/corpus.ts";
import { lookAlikes } from "./canary/look-alikes.ts";
import { everythingStored } from "./module-door.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const secrets = knownSecrets.map((known) => [known.title, known] as const);
const byForm = knownSecrets.filter(({ sign }) => sign === "form").map((known) => [known.title, known] as const);
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

describe("P11: a secret as the world writes it", () => {
  test.each(secrets)("%s: is hidden as a variable", (_, { variable, value }) => {
    expect(redact({ env: { [variable]: value } })).toEqual({ env: { [variable]: "[redacted]" } });
    expect(redact({ env: { [variable]: { type: "plain", value } } })).toEqual({
      env: { [variable]: { type: "plain", value: "[redacted]" } },
    });
  });

  test.each(byForm)(
    "%s: is recognised anywhere, whatever it is called, and only it is taken out of a text",
    (_, known) => {
      const { value, shape, hidden = value } = known;
      expect(findSecretShape(value)?.shape).toBe(shape);
      expect(redact({ note: `see ${value}` })).toEqual({ note: "[redacted]" });
      for (const text of [value, `before ${value} after`, JSON.stringify({ note: value }), `x=${value}\n`]) {
        const shown = redactText(text);
        expect(shown).toContain("[redacted]");
        for (const line of hidden.split(/\s+/).filter((part) => part.length >= 8 && !part.startsWith("-----"))) {
          expect(shown).not.toContain(line);
        }
      }
      expect(redactText(`before ${value.trim()} after`)).toMatch(/^before .* after$/s);
    },
  );

  test("each is recognised by what it says: by its form, its name or its randomness alone", () => {
    for (const { title, variable, value, sign } of knownSecrets) {
      const found = {
        form: findSecretShape(value) !== null,
        name: looksSecret({ name: variable, value, inEnv: false }),
        randomness: looksSecret({ name: "PLAIN", value, inEnv: true }),
      };
      expect(found[sign], title).toBe(true);
      if (sign !== "form") expect(found.form, title).toBe(false);
      if (sign === "randomness") expect(found.name, title).toBe(false);
    }
  });

  test("every published shape is in the corpus", () => {
    expect([...new Set(knownSecrets.flatMap(({ shape }) => shape ?? []))].sort()).toEqual(
      secretShapes.map(({ name }) => name).sort(),
    );
  });

  test("neither the corpus nor the shapes, the canaries and the documents hold one that is written out", () => {
    const sources = [
      "./canary/corpus.ts",
      "./canary/look-alikes.ts",
      "./canary/canaries.ts",
      "../src/platform/secrets/shapes.ts",
    ];
    const documents = ["../../../README.md", "../../../docs/guide/secrets.md", "../../../docs/guide/api.md"];
    for (const path of [...sources, ...documents]) {
      for (const line of read(path).split("\n")) expect(findSecretShape(line), `${path}: ${line}`).toBeNull();
    }
  });

  test("what is recognised is listed in the guide", () => {
    const [, list = ""] = /^## What is recognised$([\s\S]*?)^## /m.exec(read("../../../docs/guide/secrets.md")) ?? [];
    const listed = Array.from(list.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g), ([, name]) => name);
    expect(listed.sort()).toEqual(secretShapes.map(({ name }) => name).sort());
  });
});

describe("a text that resembles a secret and is none", () => {
  test.each(lookAlikes)("%s: stays as it is, in a variable, in a text and in JSON", (_, text) => {
    expect(findSecretShape(text)).toBeNull();
    expect(redactText(text)).toBe(text);
    expect(redactText(`see ${text}, please`)).toBe(`see ${text}, please`);
    const value = { env: { PLAIN: text, ALSO: { type: "plain", value: text } }, note: text, list: [text] };
    expect(redact(value)).toEqual(value);
  });
});

test("a bare SHA-256 looks like a key: it is one in a variable, unless the name says otherwise, and nowhere else", () => {
  const value = createHash("sha256").update("anything").digest("hex");
  expect(redactText(`the digest is ${value}`)).toBe(`the digest is ${value}`);
  const env = { PLAIN: value, IMAGE_DIGEST: value, SOURCE_CHECKSUM: value, FILE_HASH: value };
  expect(redact({ note: value, env })).toEqual({ note: value, env: { ...env, PLAIN: "[redacted]" } });
});

describe("over the API", () => {
  let server: TestServer;
  let params: { companyId: string };
  beforeAll(async () => {
    server = await startTestServer();
    params = { companyId: (await server.board.companies.create({ body: { name: "Corpus" } })).id };
  });
  afterAll(() => server.close());
  let agents = 0;
  const create = (adapterConfig: object) => {
    agents += 1;
    const body = {
      name: `Agent ${agents}`,
      adapterType: "process",
      adapterConfig: { command: "true", ...adapterConfig },
    };
    return server.board.agents.create({ params, body });
  };

  test.each(byForm)(
    "%s: is refused in a text, and nothing of it is repeated",
    async (_, { value, shape, hidden = value }) => {
      const calls = {
        description: () =>
          server.board.issues.create({ params, body: { title: "An issue", description: `Use ${value}` } }),
        "adapterConfig.args.0": () => create({ args: [value] }),
      };
      for (const [path, call] of Object.entries(calls)) {
        const refusal = await call().then(
          () => expect.fail("was taken"),
          (error: object) => error,
        );
        expect(refusal).toMatchObject({
          status: 422,
          code: "secret_in_text",
          details: [{ path: expect.stringMatching(path.split(".0")[0] ?? "") }],
        });
        expect(JSON.stringify(refusal)).not.toContain(hidden);
        expect(JSON.stringify(refusal)).toContain(path === "description" ? shape : "secret");
      }
    },
  );

  test("each is moved from env into the store, and is in no row of any table", async () => {
    const env = Object.fromEntries(knownSecrets.map(({ variable, value }, n) => [`V${n}_${variable}`, value]));
    const { adapterConfig } = await create({ env });
    const shown = adapterConfig["env"] as Record<string, { type: string }>;
    for (const [name, value] of Object.entries(shown)) expect(value.type, name).toBe("secret_ref");
    const { items } = await server.board.secrets.list({ params, query: { limit: 200 } });
    expect(items).toHaveLength(knownSecrets.length);
    const stored = `${await everythingStored(server)}\n${server.logged.join("\n")}`;
    for (const { title, value, hidden = value } of knownSecrets) expect(stored.includes(hidden), title).toBe(false);
  });

  test("each of those that are none stays in env as it was sent, and in a text", async () => {
    const env = Object.fromEntries(lookAlikes.map(([, text], n) => [`PLAIN_${n}`, text]));
    expect((await create({ env })).adapterConfig["env"]).toEqual(env);
    const description = lookAlikes.map(([, text]) => text).join("\n");
    const issue = await server.board.issues.create({ params, body: { title: "An issue", description } });
    expect(issue.description).toBe(description);
  });
});
