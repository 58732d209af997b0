import type { JsonObject } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentCaller, boardCaller, changeIn, everythingStored, scopeIn } from "../../../test/module-door.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { type IncomingEnvironment, moveSecretsOut, revealSecrets } from "./index.ts";

const password = "correct-horse-battery";
const unknown = "01890000-0000-7000-8000-000000000000";
const reference = (secretId: string, version: number | "latest"): JsonObject => ({
  type: "secret_ref",
  secretId,
  version,
});
const anyReference = (version: number) => reference(expect.any(String) as unknown as string, version);

describe("an agent's environment", () => {
  let server: TestServer;
  let companyId: string;
  let owners = 0;
  beforeAll(async () => {
    server = await startTestServer();
    companyId = (await server.board.companies.create({ body: { name: "Acme" } })).id;
  });
  afterAll(() => server.close());

  const newOwner = (): string => {
    owners += 1;
    return `agent-${owners}`;
  };
  const move = (incoming: IncomingEnvironment, caller = boardCaller): Promise<JsonObject> => {
    const scope = scopeIn(server, companyId, caller);
    return changeIn(server, scope, (change) => moveSecretsOut(change, server.keys, incoming));
  };
  const reveal = (env: JsonObject) => revealSecrets(scopeIn(server, companyId), server.keys, env);
  const lastSeq = async (): Promise<number> => {
    const { items } = await server.board.activity.list({ params: { companyId }, query: { limit: 1 } });
    return items[0]?.seq ?? 0;
  };
  const storeShared = (name: string) =>
    server.board.secrets.create({ params: { companyId }, body: { name, value: `${password} of ${name}` } });

  test("what readers would not be shown leaves it for the secret store, by name, by form and by looking random", async () => {
    const owner = newOwner();
    const random = "pV7kQ2xTz9LmW4cRb8NsY3hF";
    const address = `postgres://shop:${password}@db.example/shop`;
    const env = {
      NODE_ENV: "production",
      DB_PASSWORD: password,
      DATABASE_URL: address,
      SEED: random,
      REGION: { type: "plain", value: "eu" },
    };
    const moved = await move({ env, owner });
    expect(moved).toEqual({
      NODE_ENV: "production",
      DB_PASSWORD: anyReference(1),
      DATABASE_URL: anyReference(1),
      SEED: anyReference(1),
      REGION: { type: "plain", value: "eu" },
    });
    expect(Object.keys(moved)).toEqual(Object.keys(env));
    expect(Object.fromEntries(await reveal(moved))).toEqual({
      DB_PASSWORD: password,
      DATABASE_URL: address,
      SEED: random,
    });
    const { items } = await server.board.secrets.list({ params: { companyId } });
    const names = items.filter(({ name }) => name.startsWith(`agents/${owner}/`)).map(({ name }) => name);
    expect(names.sort()).toEqual(["DATABASE_URL", "DB_PASSWORD", "SEED"].map((entry) => `agents/${owner}/${entry}`));
    const stored = await everythingStored(server);
    for (const secret of [password, random]) expect(stored).not.toContain(secret);
  });

  test("the word plain is no way around it", async () => {
    const moved = await move({ env: { API_KEY: { type: "plain", value: password } }, owner: newOwner() });
    expect(moved).toEqual({ API_KEY: anyReference(1) });
  });

  test("the log names each secret that was stored, and who did it", async () => {
    const owner = newOwner();
    const moved = await move({ env: { DB_PASSWORD: password }, owner });
    await move({ env: { DB_PASSWORD: `${password} 2` }, owner, previous: moved });
    const { items } = await server.board.activity.list({ params: { companyId }, query: { limit: 2 } });
    expect(items.map(({ sentence }) => sentence)).toEqual([
      `The board stored version 2 of the secret agents/${owner}/DB_PASSWORD`,
      `The board stored the secret agents/${owner}/DB_PASSWORD`,
    ]);
  });

  test("the same value again is the same version, and nothing is written", async () => {
    const owner = newOwner();
    const env = { DB_PASSWORD: password, API_KEY: `${password} 2` };
    const moved = await move({ env, owner });
    const before = await lastSeq();
    expect(await move({ env, owner, previous: moved })).toEqual(moved);
    expect(await move({ env, owner })).toEqual(moved);
    expect(await lastSeq()).toBe(before);
  });

  test("another value is a new version; what pinned the old one keeps it", async () => {
    const owner = newOwner();
    const first = await move({ env: { DB_PASSWORD: password }, owner });
    const second = await move({ env: { DB_PASSWORD: `${password} 2` }, owner, previous: first });
    expect(second).toEqual({ DB_PASSWORD: { ...(first["DB_PASSWORD"] as JsonObject), version: 2 } });
    expect([...(await reveal(first)), ...(await reveal(second))]).toEqual([
      ["DB_PASSWORD", password],
      ["DB_PASSWORD", `${password} 2`],
    ]);
  });

  test("the value of the version that is pinned after a rollback is recognised, and so is that of the latest", async () => {
    const owner = newOwner();
    const first = await move({ env: { DB_PASSWORD: password }, owner });
    const second = await move({ env: { DB_PASSWORD: `${password} 2` }, owner, previous: first });
    expect(await move({ env: { DB_PASSWORD: password }, owner, previous: first })).toEqual(first);
    expect(await move({ env: { DB_PASSWORD: `${password} 2` }, owner, previous: first })).toEqual(second);
  });

  test("references stay as they are, and the default version is written out", async () => {
    const { id } = await storeShared("shared/one");
    const env = { A: reference(id, 1), B: { type: "secret_ref", secretId: id } };
    expect(await move({ env, owner: newOwner() })).toEqual({ A: reference(id, 1), B: reference(id, "latest") });
  });

  test.each([
    ["by name", { DB_PASSWORD: "abc" }],
    ["by name, spelled out", { DB_PASSWORD: { type: "plain", value: "abc" } }],
  ])("a secret too short to be kept out of logs is refused with the reason (%s)", async (_, env) => {
    await expect(move({ env, owner: newOwner() })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("fewer than 8 bytes"),
      details: [expect.objectContaining({ path: "adapterConfig.env.DB_PASSWORD" })],
    });
  });

  test("a secret of more than 64 KiB is refused", async () => {
    const env = { DB_PASSWORD: "ж€".repeat(16_384) };
    await expect(move({ env, owner: newOwner() })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("a secret as the name of an entry is refused, and not repeated", async () => {
    const name = `npm_${"aB3dE5gH7jK9".repeat(3)}`;
    const refusal = await move({ env: { [name]: "x" }, owner: newOwner() }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "secret_in_text" });
    expect(JSON.stringify(refusal)).not.toContain(name);
  });

  test("switches and paths under such names are no secrets", async () => {
    const env = { DEBUG_TOKEN: "true", PASSWORD_FILE: "/run/secrets/password", EMPTY_PASSWORD: "" };
    expect(await move({ env, owner: newOwner() })).toEqual(env);
  });

  test("a reference to nothing, to another company or to a version that is not there is refused where it stands", async () => {
    const elsewhere = (await server.board.companies.create({ body: { name: "Elsewhere" } })).id;
    const params = { companyId: elsewhere };
    const foreign = await server.board.secrets.create({ params, body: { name: "theirs", value: password } });
    for (const id of [unknown, foreign.id]) {
      const refused = move({ env: { A: reference(id, 1) }, owner: newOwner() });
      await expect(refused).rejects.toMatchObject({ name: "Missing", id, path: "adapterConfig.env.A.secretId" });
    }
    const { id } = await storeShared("shared/two");
    await expect(move({ env: { A: reference(id, 2) }, owner: newOwner() })).rejects.toMatchObject({
      code: "unknown_reference",
      details: [{ path: "adapterConfig.env.A.version", message: "there are the versions 1 to 1" }],
    });
  });

  test("an agent names no secret by its own decision, only in what the board decides", async () => {
    const { id } = await storeShared("shared/three");
    const env = { A: reference(id, "latest") };
    const agent = agentCaller(companyId);
    await expect(move({ env, owner: newOwner() }, agent)).rejects.toMatchObject({ code: "forbidden" });
    expect(await move({ env, owner: newOwner(), boardDecides: true }, agent)).toEqual(env);
    const own = { DB_PASSWORD: password };
    expect(await move({ env: own, owner: newOwner() }, agent)).toEqual({ DB_PASSWORD: anyReference(1) });
  });

  test("a refusal stores nothing", async () => {
    const owner = newOwner();
    const env = { DB_PASSWORD: password, A: reference(unknown, 1) };
    await expect(move({ env, owner })).rejects.toMatchObject({ name: "Missing" });
    expect(await everythingStored(server)).not.toContain(`agents/${owner}/`);
  });

  test("fifty secrets and fifty references cost no more statements than one of each", async () => {
    const { id } = await storeShared("shared/four");
    const cost = async (entries: number): Promise<number> => {
      const env: Record<string, JsonObject[string]> = {};
      for (let n = 0; n < entries; n += 1) {
        env[`PASSWORD_${n}_SECRET`] = `${password} ${n}`;
        env[`SHARED_${n}`] = reference(id, 1);
      }
      const before = server.database.statements.count;
      await move({ env, owner: newOwner() });
      return server.database.statements.count - before;
    };
    expect(await cost(50)).toBe(await cost(1));
  });

  test("the same names stored by several changes at once are versions of one secret each", async () => {
    const owner = newOwner();
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => {
        const entries = [`A_SECRET`, `B_SECRET`, `C_SECRET`].map((name) => [name, `${password} ${n}`] as const);
        return move({ env: Object.fromEntries(n % 2 === 0 ? entries : entries.reverse()), owner });
      }),
    );
    for (const [n, env] of all.entries()) {
      expect(new Set((await reveal(env)).values())).toEqual(new Set([`${password} ${n}`]));
    }
    const ids = all.flatMap((env) => Object.values(env).map((value) => (value as JsonObject)["secretId"]));
    expect(new Set(ids).size).toBe(3);
  });
});
