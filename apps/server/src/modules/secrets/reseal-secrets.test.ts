import type { JsonObject } from "@roster/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { scopeIn } from "../../../test/module-door.ts";
import { claim, clientOf, signIn } from "../../../test/people.ts";
import { credentialOf, type RunGround, startRunGround } from "../../../test/run-ground.ts";
import { startTestServer, type TestServer, testKey } from "../../../test/test-server.ts";
import { type Keys, keysOf } from "../../platform/secrets/index.ts";
import { resealSecrets, revealSecrets } from "./index.ts";

const [second, third] = ["bb", "cc"].map((digits) => digits.repeat(32)) as [string, string];
const first = { ONE: "the first value", TWO: "the second value" };

/** What a server does at its start, when the master key was replaced. */
const reseal = ({ database, keys }: TestServer) =>
  resealSecrets({ database, notifier: { notify: () => undefined } }, keys);

describe("rotating the master key", () => {
  let ground: RunGround;
  let siblings: TestServer[];
  beforeEach(async () => {
    ground = await startRunGround();
    siblings = [];
  });
  afterEach(async () => {
    await Promise.all(siblings.map((server) => server.close()));
    await ground.close();
  });

  /** A server that came with a new master key beside the old one and has sealed nothing anew yet. */
  const replacing = async (previousValue: string, value: string): Promise<TestServer> => {
    const server = await ground.server.sibling({ masterKeys: { value, previousValue } });
    siblings.push(server);
    return server;
  };
  /** How many values are sealed under each version of the key. */
  const versions = async (): Promise<Record<number, number>> => {
    const rows = await ground.sql<{ version: number; values: number }[]>`
      select key_version as version, count(*)::int as values from secret_versions group by 1 order by 1`;
    return Object.fromEntries(rows.map(({ version, values }) => [version, values]));
  };
  /** How often the log says that it was done. */
  const sentences = async ({ board }: TestServer): Promise<string[]> => {
    const { items } = await board.activity.listInstance({ query: { entityType: "master_key" } });
    return items.map(({ sentence }) => sentence);
  };
  /** A company with as many secrets, of which the first has two versions. */
  const companyWith = async (number: number) => {
    const { id: companyId } = await ground.company();
    const create = (name: string, value = `the value of ${name}`) =>
      ground.board.secrets.create({ params: { companyId }, body: { name, value } });
    const { id: secretId } = await create("first", first.ONE);
    await ground.board.secrets.rotate({ params: { secretId }, body: { value: first.TWO } });
    await Promise.all(Array.from({ length: number - 1 }, (_, n) => create(`secret-${n}`)));
    const reference = (version: number): JsonObject => ({ type: "secret_ref", secretId, version });
    const opened = async (server: TestServer, keys: Keys = server.keys) => {
      const env = { ONE: reference(1), TWO: reference(2) };
      return Object.fromEntries(await revealSecrets(scopeIn(server, companyId), keys, env));
    };
    return { companyId, secretId, create, opened };
  };

  test("seals every version of every secret anew, as often as it is done, and the log of the deployment says so", async () => {
    const { opened } = await companyWith(120);
    const server = await replacing(testKey, second);
    expect(await opened(server)).toEqual(first);
    expect(await reseal(server)).toEqual({ sealed: 121, lost: [] });
    expect(await versions()).toEqual({ 2: 121 });
    const alone = keysOf(Buffer.from(second, "hex"), { version: 2, since: null, former: null });
    expect(await opened(server, alone)).toEqual(first);
    const next = await replacing(second, third);
    expect(await reseal(next)).toEqual({ sealed: 121, lost: [] });
    expect([await reseal(next), await reseal(server)]).toEqual([null, null]);
    expect(await opened(next)).toEqual(first);
    expect(await sentences(next)).toEqual([
      expect.stringMatching(/sealed every secret under version 3 of the master key$/),
      expect.stringMatching(/sealed every secret under version 2 of the master key$/),
    ]);
  });

  test("by two servers at once is done once, and what a third one stores meanwhile is not left behind", async () => {
    const { opened, create } = await companyWith(120);
    const servers = await Promise.all([replacing(testKey, second), replacing(testKey, second)]);
    const done = Promise.all(servers.map(reseal));
    // The server that knows the old key alone is taken seriously until the database refuses what it stores.
    const storing = Array.from({ length: 40 }, (_, n) =>
      create(`meanwhile-${n}`)
        .then(() => 1)
        .catch(() => 0),
    );
    const stored = (await Promise.all(storing)).reduce<number>((sum, one) => sum + one, 121);
    expect((await done).reduce((sum, part) => sum + (part?.sealed ?? 0), 0)).toBe(stored);
    expect(await versions()).toEqual({ 2: stored });
    for (const server of servers) expect(await opened(server)).toEqual(first);
    expect(await sentences(ground.server)).toHaveLength(1);
  });

  test("leaves nobody who could store a value under the old key, once it is over", async () => {
    const { create, secretId, opened } = await companyWith(1);
    const server = await replacing(testKey, second);
    await create("stored-in-time");
    await reseal(server);
    await expect(create("stored-too-late")).rejects.toMatchObject({ status: 500 });
    const rotated = ground.board.secrets.rotate({ params: { secretId }, body: { value: "a value too late" } });
    await expect(rotated).rejects.toMatchObject({ status: 500 });
    expect(await versions()).toEqual({ 2: 3 });
    expect(await opened(server)).toEqual(first);
    await server.board.secrets.rotate({ params: { secretId }, body: { value: "a value in time" } });
    expect(await versions()).toEqual({ 2: 4 });
  });

  test("is not held up by a value that does not open: that stays as it is, and is named", async () => {
    const { companyId, create, opened } = await companyWith(1);
    const { id } = await create("damaged");
    await ground.sql`
      update secret_versions set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) where secret_id = ${id}`;
    const server = await replacing(testKey, second);
    expect(await reseal(server)).toMatchObject({ sealed: 2, lost: [{ companyId, name: "damaged", number: 1 }] });
    expect(await versions()).toEqual({ 1: 1, 2: 2 });
    const next = await replacing(second, third);
    expect(await reseal(next)).toMatchObject({ sealed: 2, lost: [{ name: "damaged" }] });
    expect(await opened(next)).toEqual(first);
  });
});

describe("after a rotation of the master key", () => {
  let ground: RunGround;
  let after: TestServer;
  let without: TestServer;
  const siblings: TestServer[] = [];
  const answered = { name: "of the old time" };
  const body = { params: { agentId: "" }, body: answered, idempotencyKey: "once" };
  let token: string | null;
  beforeAll(async () => {
    ground = await startRunGround();
    body.params.agentId = (await (await ground.company()).agent()).id;
    ({ token } = await ground.board.agentKeys.create(body));
  });
  afterAll(async () => {
    await Promise.all(siblings.map((server) => server.close()));
    await ground.close();
  });

  test("runs go on: their credentials are good, an order is made again as it was, and agents get the same values", async () => {
    const company = await ground.company();
    const params = { companyId: company.id };
    const { id } = await ground.board.secrets.create({ params, body: { name: "shared", value: "a shared value" } });
    const env = { OWN_TOKEN: "a-token-of-its-own", SHARED: { type: "secret_ref", secretId: id, version: "latest" } };
    const agent = await company.agent({ adapterConfig: { command: "true", env } });
    const before = await company.runner();
    await ground.wake(agent.id);
    const order = await before.begin();

    after = await ground.server.sibling({ masterKeys: { value: second, previousValue: testKey } });
    siblings.push(after);
    await reseal(after);
    const { runId, epoch } = order;
    const runner = before.at(after);
    expect(await after.as(credentialOf(order)).agents.me()).toMatchObject({ currentRun: { id: runId } });
    const again = await runner.client.runners.order({ params: { runId }, query: { epoch } });
    const { service: _, ...rest } = order;
    expect(again.order).toMatchObject(rest);
    expect(credentialOf(again.order)).toBe(credentialOf(order));
    await runner.settle(order);

    await after.board.runs.wakeup({ params: { agentId: agent.id }, body: {} });
    const next = await runner.take();
    expect(next.env).toEqual({ OWN_TOKEN: "a-token-of-its-own", SHARED: "a shared value" });
    expect(next.env).toEqual(order.env);
    const [header = ""] = credentialOf(next).split(".");
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toMatchObject({ kid: "2" });
    expect(await after.as(credentialOf(next)).agents.me()).toMatchObject({ currentRun: { id: next.runId } });

    without = await ground.server.sibling({ masterKeys: { value: second } });
    siblings.push(without);
    expect(await without.as(credentialOf(next)).agents.me()).toMatchObject({ currentRun: { id: next.runId } });
    const signed = { alg: "HS256", kid: "1" };
    const forged = [
      Buffer.from(JSON.stringify(signed)).toString("base64url"),
      ...credentialOf(next).split(".").slice(1),
    ];
    for (const server of [after, without]) {
      await expect(server.as(forged.join(".")).agents.me()).rejects.toMatchObject({ code: "unauthenticated" });
    }
  });

  test("a request that is repeated gets its first answer, its sealed secret too, while the old key is there", async () => {
    expect((await after.board.agentKeys.create(body)).token).toBe(token);
    const other = after.board.agentKeys.create({ ...body, body: { name: "another body" } });
    await expect(other).rejects.toMatchObject({
      code: "idempotency_key_reused",
      message: expect.stringMatching(/another body/),
    });
    await expect(without.board.agentKeys.create(body)).rejects.toMatchObject({
      code: "idempotency_key_reused",
      message: expect.stringMatching(/before the service's master key was replaced/),
    });
  });

  test("people sign in again", async () => {
    const server = await startTestServer({ mode: "authenticated" });
    const ada = await claim(server);
    const masterKeys = { value: second, previousValue: testKey };
    const later = await server.sibling({ masterKeys });
    try {
      await expect(clientOf(later.url, ada.cookie).companies.list()).rejects.toMatchObject({ status: 401 });
      expect(await (await signIn(later, ada.email)).client.auth.session()).toMatchObject({ user: { id: ada.id } });
    } finally {
      await later.close();
      await server.close();
    }
  });
});
