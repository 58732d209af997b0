import type { JsonObject } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everythingStored, scopeIn } from "../../../test/module-door.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { keysOf } from "../../platform/secrets/index.ts";
import { revealSecrets } from "./index.ts";

const value = "correct-horse-battery-staple";
const refused = (code: string, message: RegExp | string = "") => ({ code, message: expect.stringMatching(message) });
const reference = (secretId: string, version: number | "latest" = "latest"): JsonObject => ({
  type: "secret_ref",
  secretId,
  version,
});

describe("secrets", () => {
  let server: TestServer;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer();
    companyId = (await server.board.companies.create({ body: { name: "Acme" } })).id;
  });
  afterAll(() => server.close());

  const store = (name: string, secret = value) =>
    server.board.secrets.create({ params: { companyId }, body: { name, value: secret } });
  const rotate = (secretId: string, secret: string) =>
    server.board.secrets.rotate({ params: { secretId }, body: { value: secret } });
  const reveal = (env: JsonObject, keys = server.keys) => revealSecrets(scopeIn(server, companyId), keys, env);
  const sentencesAbout = async (entityId: string): Promise<string[]> => {
    const { items } = await server.board.activity.list({ params: { companyId }, query: { entityId } });
    return items.map(({ sentence }) => sentence);
  };

  test("everything but the value is answered, and the log says who stored it", async () => {
    const created = await server.board.secrets.create({
      params: { companyId },
      body: { name: "github/token", value, description: "Pushes to the shop" },
    });
    expect(created).toEqual({
      id: expect.any(String),
      companyId,
      name: "github/token",
      description: "Pushes to the shop",
      latestVersion: 1,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
    });
    expect(await server.board.secrets.get({ params: { secretId: created.id } })).toEqual(created);
    const { items } = await server.board.secrets.list({ params: { companyId } });
    expect(items).toContainEqual(created);
    expect(await sentencesAbout(created.id)).toEqual(["The board stored the secret github/token"]);
  });

  test("a value is in clear in no table and no line of the server's log", async () => {
    const plain = "a value that is found nowhere";
    const { id } = await server.board.secrets.create({
      params: { companyId },
      body: { name: "nowhere", value: plain },
      idempotencyKey: "nowhere",
    });
    await rotate(id, `${plain}, rotated`);
    const everything = `${await everythingStored(server)}\n${server.logged.join("\n")}`;
    expect(everything).toContain("nowhere");
    for (const form of [
      plain,
      Buffer.from(plain).toString("hex"),
      Buffer.from(plain).toString("base64").slice(0, -4),
    ]) {
      expect(everything).not.toContain(form);
    }
    expect(await reveal({ A: reference(id, 1) })).toEqual(new Map([["A", plain]]));
  });

  test("of ten secrets of one name stored at once one is, and the others are told so", async () => {
    const all = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => store("contested", `${value} ${n}`)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const others = all.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(others).toEqual(Array.from({ length: 9 }, () => expect.objectContaining(refused("already_exists"))));
    const { items } = await server.board.secrets.list({ params: { companyId } });
    const [stored, ...more] = items.filter(({ name }) => name === "contested");
    expect(more).toEqual([]);
    expect(stored).toMatchObject({ latestVersion: 1 });
    expect(await sentencesAbout(stored?.id ?? "")).toHaveLength(1);
  });

  test("ten rotations at once are ten versions, each with its value and its entry", async () => {
    const { id } = await store("turning", "value number 0");
    const values = Array.from({ length: 10 }, (_, n) => `value number ${n + 1}`);
    const versions = await Promise.all(
      values.map(async (one) => [(await rotate(id, one)).latestVersion, one] as const),
    );
    expect(versions.map(([number]) => number).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    for (const [number, one] of versions) {
      expect(await reveal({ A: reference(id, number) })).toEqual(new Map([["A", one]]));
    }
    expect(await server.board.secrets.get({ params: { secretId: id } })).toMatchObject({ latestVersion: 11 });
    expect((await sentencesAbout(id)).sort()).toContain("The board stored version 11 of the secret turning");
    expect(await sentencesAbout(id)).toHaveLength(11);
  });

  test("a version that was replaced still opens for what refers to it", async () => {
    const { id } = await store("pinned", "the first value");
    await rotate(id, "the second value");
    const env = { OLD: reference(id, 1), NEW: reference(id, 2), LATEST: reference(id), PLAIN: "text", ALSO: "" };
    expect(await reveal(env)).toEqual(
      new Map([
        ["OLD", "the first value"],
        ["NEW", "the second value"],
        ["LATEST", "the second value"],
      ]),
    );
  });

  test("a reference of another company, or to a version that is not there, reveals nothing", async () => {
    const { id } = await store("at-home");
    const elsewhere = (await server.board.companies.create({ body: { name: "Elsewhere" } })).id;
    const foreign = revealSecrets(scopeIn(server, elsewhere), server.keys, { A: reference(id) });
    await expect(foreign).rejects.toMatchObject({ name: "Missing", id });
    await expect(reveal({ A: reference(id, 2) })).rejects.toMatchObject({ name: "Missing", id });
  });

  test("a rotation based on an older version than the latest is refused", async () => {
    const { id } = await store("edited-by-two");
    await server.board.secrets.rotate({ params: { secretId: id }, body: { value: `${value} 2` }, ifMatch: 1 });
    const late = server.board.secrets.rotate({ params: { secretId: id }, body: { value: `${value} 3` }, ifMatch: 1 });
    await expect(late).rejects.toMatchObject(refused("stale_revision"));
  });

  test("the same request again with its key stores nothing more, and with another value is refused", async () => {
    const { id } = await store("repeated");
    const again = (secret: string) =>
      server.board.secrets.rotate({ params: { secretId: id }, body: { value: secret }, idempotencyKey: "rotate-once" });
    const first = await again("another value");
    expect(await again("another value")).toEqual(first);
    expect(first.latestVersion).toBe(2);
    await expect(again("yet another value")).rejects.toMatchObject(refused("idempotency_key_reused"));
  });

  test.each([
    ["seven bytes", "sevenby", /at least 8 bytes: a shorter value cannot be told from ordinary text/],
    ["more than 64 KiB", "x".repeat(65_537), /at most 65536 bytes/],
    ["more bytes than characters", "ж".repeat(32_769), /at most 65536 bytes/],
  ])("a value of %s is refused with the reason", async (_, secret, reason) => {
    await expect(store("unfit", secret)).rejects.toMatchObject(refused("invalid_request", reason));
    const { id } = await store(`fit ${secret.length}`.replaceAll(" ", "-"));
    await expect(rotate(id, secret)).rejects.toMatchObject(refused("invalid_request", reason));
  });

  test("bytes are counted, not characters: four letters of two bytes each are enough, and 64 KiB are not too much", async () => {
    expect(await store("short-in-letters", "жжжж")).toMatchObject({ latestVersion: 1 });
    const { id } = await store("long", "x".repeat(65_536));
    expect((await reveal({ A: reference(id) })).get("A")).toHaveLength(65_536);
  });

  test.each([
    ["is empty", ""],
    ["begins with a hyphen", "-leading"],
    ["has a space", "with space"],
    ["has letters beyond ASCII", "ümlaut"],
    ["is too long", "x".repeat(201)],
    ["is kept for agents' environments", "agents/ada/DB_PASSWORD"],
  ])("a name that %s is refused", async (_, name) => {
    await expect(store(name)).rejects.toMatchObject(refused("invalid_request", /"name"/));
  });

  test("an archived company's secrets do not change", async () => {
    const archived = (await server.board.companies.create({ body: { name: "Archived" } })).id;
    const { id } = await server.board.secrets.create({ params: { companyId: archived }, body: { name: "a", value } });
    await server.board.companies.archive({ params: { companyId: archived } });
    const another = server.board.secrets.create({ params: { companyId: archived }, body: { name: "b", value } });
    await expect(another).rejects.toMatchObject(refused("wrong_state"));
    await expect(rotate(id, `${value} 2`)).rejects.toMatchObject(refused("wrong_state"));
  });

  test("an agent reads names, and stores nothing", async () => {
    const params = { companyId };
    const agent = await server.board.agents.create({ params, body: { name: "Ada", adapterType: "claude_local" } });
    const { token } = await server.board.agentKeys.create({ params: { agentId: agent.id }, body: {} });
    const ada = server.as(token ?? "");
    const { id } = await store("seen-by-agents");
    expect((await ada.secrets.list({ params })).items).toContainEqual(expect.objectContaining({ id }));
    expect(await ada.secrets.get({ params: { secretId: id } })).toMatchObject({ name: "seen-by-agents" });
    const created = ada.secrets.create({ params, body: { name: "mine", value } });
    await expect(created).rejects.toMatchObject(refused("forbidden"));
    const rotated = ada.secrets.rotate({ params: { secretId: id }, body: { value } });
    await expect(rotated).rejects.toMatchObject(refused("forbidden"));
  });

  test("names are listed newest first, in pages that hold each of them once", async () => {
    const own = (await server.board.companies.create({ body: { name: "Pages" } })).id;
    const params = { companyId: own };
    for (let n = 1; n <= 5; n += 1) await server.board.secrets.create({ params, body: { name: `secret-${n}`, value } });
    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await server.board.secrets.list({ params, query: { limit: 2, ...(cursor && { cursor }) } });
      names.push(...page.items.map(({ name }) => name));
      cursor = page.next;
    }
    expect(names).toEqual(["secret-5", "secret-4", "secret-3", "secret-2", "secret-1"]);
  });

  test("another master key does not open a value", async () => {
    const { id } = await store("locked");
    await expect(reveal({ A: reference(id) }, keysOf(Buffer.alloc(32, 2)))).rejects.toThrow(/unable to authenticate/);
  });

  test("a value whose row was moved, renamed, renumbered or altered does not open", async () => {
    const { driver } = server.database;
    const elsewhere = (await server.board.companies.create({ body: { name: "Thief" } })).id;
    const tampering: readonly ((id: string) => Promise<unknown>)[] = [
      (id) => driver`update secrets set name = 'renamed' where id = ${id}`,
      (id) =>
        driver`update secret_versions set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) where secret_id = ${id}`,
      (id) => driver`update secret_versions a set sealed = b.sealed from secret_versions b
        where a.secret_id = ${id} and b.secret_id = ${id} and a.number = 1 and b.number = 2`,
    ];
    for (const [n, tamper] of tampering.entries()) {
      const { id } = await store(`tampered-${n}`);
      await rotate(id, "the second value");
      await tamper(id);
      await expect(reveal({ A: reference(id, 1) })).rejects.toThrow(/unable to authenticate/);
    }
    const { id } = await store("stolen");
    const copied = await server.board.secrets.create({
      params: { companyId: elsewhere },
      body: { name: "stolen", value: "bait, bait" },
    });
    await driver`update secret_versions a set sealed = b.sealed from secret_versions b
      where a.secret_id = ${copied.id} and b.secret_id = ${id}`;
    const theft = revealSecrets(scopeIn(server, elsewhere), server.keys, { A: reference(copied.id) });
    await expect(theft).rejects.toThrow(/unable to authenticate/);
  });

  test("the database itself refuses a version that points to another company's secret", async () => {
    const elsewhere = (await server.board.companies.create({ body: { name: "Border" } })).id;
    const { id } = await store("within-borders");
    const moved = server.database.driver`update secret_versions set company_id = ${elsewhere} where secret_id = ${id}`;
    await expect(moved).rejects.toMatchObject({ code: "23503" });
  });
});
